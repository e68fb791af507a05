"""What the Save The Bet players weigh: their bets, chances and gains, by brute force and by hand."""

import random
from itertools import combinations

import numpy as np
import pytest

from railbird.agents.registry import parse_agent
from railbird.agents.save_the_bet.one_turn import imagine_turns, promise_of_bet
from railbird.agents.save_the_bet.rival import BITS, expect_card_by_lot
from railbird.games.cards import parse_card
from railbird.games.errors import InvalidSettings
from railbird.games.save_the_bet.bets import print_cards
from railbird.games.save_the_bet.counting import MOST_BETS, SHORTEST, count_stock, weigh_bets
from railbird.games.save_the_bet.odds import counting_odds, unknown_cards
from railbird.games.save_the_bet.sets import cards_in
from railbird.games.save_the_bet.settings import SaveTheBetSettings
from railbird.games.save_the_bet.table import SaveTheBet


def value_of(card):
    return card % 13 + 1 if card % 13 < 10 else 1  # J, Q, K are worth 1


def cards(text):
    return np.uint64(sum(1 << parse_card(word) for word in text.split()))


def table(hand, other, other_public="", **rules):
    """One table at which seat 0 holds ``hand``; the rest of the deck is the stack."""
    game = SaveTheBet(SaveTheBetSettings(**rules))
    game.start()
    state = game.state
    state.hands[0] = cards(hand), cards(other)
    state.public[0] = 0, cards(other_public)
    state.stack[0] = np.uint64(game.settings.deck) & ~(state.hands[0, 0] | state.hands[0, 1])
    game.check()
    return game


def bet_of(name, game):
    agent = parse_agent(name, "save-the-bet").make(game.settings)
    return print_cards(agent.act(game.view(0), game.draws(0))[0, 0])


def middle_of_games(seed, lanes, turns, rules):
    """Tables some turns into games between players that choose by lot, those still played."""
    game = SaveTheBet(rules, seed, lanes)
    game.start()
    players = [parse_agent("random", "save-the-bet").make(rules) for _ in range(2)]
    for _ in range(2 * turns):
        decisions = game.blank()
        for seat, player in enumerate(players):
            decisions[:, seat] = player.act(game.view(seat), game.draws(seat))
        game.submit(decisions, ~game.over)
    return game


def test_shortest_bets_have_the_fewest_cards_and_of_these_the_fewest_ones():
    rng = random.Random(5)
    for held in [rng.sample(range(13), rng.randint(0, 13)) for _ in range(60)]:
        ranks = sum(1 << rank for rank in held)
        costs = {}  # sum -> the least (cards, cards worth 1) that make it
        for size in range(1, 6):  # 10 takes at most five of the cards: 1 + 1 + 1 + 1 + 6
            for some in combinations(held, size):
                cost = (size, sum(value_of(rank) == 1 for rank in some))
                total = sum(map(value_of, some))
                costs[total] = min(costs.get(total, cost), cost)
        for total in range(1, 11):
            bet = [rank for rank in range(13) if int(SHORTEST[ranks, total]) >> rank & 1]
            if total not in costs:
                assert bet == []
                continue
            assert set(bet) <= set(held) and sum(map(value_of, bet)) == total
            assert (len(bet), sum(value_of(rank) == 1 for rank in bet)) == costs[total]


def wins(bet, hand, gamble, by_suit, saves):
    """Whether a bet wins a gamble as it lies, or with some card of the rest of the hand."""
    total = sum(map(value_of, bet))
    if (by_suit and gamble // 13 == bet[0] // 13) or total == value_of(gamble):
        return True
    left = [card for card in hand if card not in bet and card // 13 == gamble // 13]
    return saves and any(total + value_of(card) == value_of(gamble) for card in left)


@pytest.mark.parametrize("saves", [False, True])
@pytest.mark.parametrize("wins_by", ["suit_or_value", "value"])
def test_weights_are_the_counting_odds_of_all_gambles_a_bet_wins(wins_by, saves):
    rules = SaveTheBetSettings(wins_by=wins_by)
    bets, won, weights = (
        np.empty(MOST_BETS, np.uint64),
        np.empty(MOST_BETS, np.uint64),
        np.empty(MOST_BETS, int),
    )
    checked = 0
    for turns in (0, 5, 25):
        game = middle_of_games(3, 8, turns, rules)
        view = game.view(1)
        odds, unknown = counting_odds(rules, view), unknown_cards(rules, view)
        for row in np.flatnonzero(~game.over):
            stock = count_stock(unknown[row], view.returned[row], view.stacked[row])
            by_suit = wins_by == "suit_or_value"
            count = weigh_bets(bets, won, weights, SHORTEST, view.hand[row], stock, by_suit, saves)
            hand = cards_in(view.hand[row])
            for k in range(count):
                bet = cards_in(bets[k])
                exact = sum(odds[row, card] for card in range(52) if wins(bet, hand, card, by_suit, saves))
                assert weights[k] / (stock[3] * int(view.stacked[row])) == pytest.approx(exact, abs=1e-12)
                checked += 1
    assert checked > 150


def test_likeliest_save_counts_the_cards_it_could_save_with():
    # 47 cards are unknown. 10H wins 12 hearts and 10D 10C 10S, 15, and nothing more: 10 + 2 is no value.
    # 2S wins 11 spades and 2H 2D 2C, 14; with 7C the 9C and with 6C the 8C, 16.
    # 7C wins 11 clubs and 7H 7D 7S, with 2S the 9S, 15; 6C 11 clubs, 6H 6D 6S, and the 8S, 15.
    game = table("10H 2S 7C 6C", "3D 4D 5D 8D 9D KD")
    assert bet_of("likeliest", game) == "10H"
    assert bet_of("likeliest-save", game) == "2S"


def test_cards_does_not_stake_two_cards_for_one_gamble_more():
    # 3H + 2H: 11 hearts, 5D 5C 5S, with 3D the 8D and with 2D the 7D, 16 of 47.
    # 2H: 11 hearts, 2C 2S, with 3D the 5D and with 2D the 4D, 15 of 47; so for 3H.
    # In cards, p - 2 k (1 - p): (16 - 4 · 31) / 47 = -2.3 for the two, (15 - 2 · 32) / 47 = -1.04 for one.
    game = table("3H 2H 3D 2D", "4S 5S 6S 7S 8S 9S")
    assert bet_of("likeliest-save", game) == "3H 2H"
    assert bet_of("cards", game) == "2H"


def test_thrifty_keeps_the_card_its_next_bets_are_made_of():
    # 49 cards are unknown. KH wins 12 hearts, 8 ones of D and C, JS QS KS: 23; 10D 12 diamonds, 3 tens: 15.
    # Worth of both: 12 · 23/49 + 9 · 15/49; without KH 12 · 15/49, which is 231/49 = 4.71 less; without 10D
    # 12 · 23/49, 135/49 = 2.76 less. Gains p - (1 - p) (2 + less): KH 0.469 - 0.531 · 6.71 = -3.09, and
    # 10D 0.306 - 0.694 · 4.76 = -2.99. In cards alone: KH 0.469 - 0.531 · 2 = -0.59, 10D -1.08.
    game = table("KH 10D", "3S 4S 5S 6S 7S 8S")
    assert bet_of("thrifty", game) == "10D"
    assert bet_of("cards", game) == "KH"


def test_hoarder_near_the_target_wins_what_the_other_wins():
    # The other's only card is known, 9S: of 48 cards in the stack it wins 10 spades and three nines. KH wins
    # 23, and 3S saved with 2S, and of the 13 it wins JS QS KS 3S 9H: 8 lose it to the other. 2S wins all 10
    # spades, 2H 2D 2C and, saved with KH, 3H, 14 in all: only the three nines lose it to the other.
    game = table("KH 2S", "9S", "9S")
    assert bet_of("hoarder:margin=0", game) == "KH"
    assert bet_of("hoarder:margin=26", game) == "2S"
    with pytest.raises(InvalidSettings, match="margin is a whole number from 0 to 26, not 27"):
        parse_agent("hoarder:margin=27", "save-the-bet").make(game.settings)


def test_card_by_lot_by_hand():
    # The other holds KS, which is known, and a hidden card.
    game = table("2H 3H", "KS 9D", "KS")
    view = game.view(0)
    unknown = unknown_cards(game.settings, view)[0]
    stock = count_stock(unknown, view.returned[0], view.stacked[0])
    odds, beaten = np.empty(BITS), np.empty(BITS)
    expect_card_by_lot(odds, beaten, unknown, view.other_public[0], view.held[0, 1], stock, 47, True)
    # 51 - 2 - 1 = 48 are unknown, 47 of them in the stack: each is the gamble with chance 47/48/47 = 1/48.
    assert odds.sum() == pytest.approx(1)
    five_of_clubs = 16 * 2 + 5
    assert odds[five_of_clubs] == pytest.approx(1 / 48)
    # Against 5C win the other 12 clubs and 5H 5D 5S, 15 of the 47 cards the hidden one may be; KS does not.
    # Either card is bet with chance 1/2: (0 + 15/47) / 2.
    assert beaten[five_of_clubs] == pytest.approx(15 / 47 / 2)
    # Against 5S win KS, the 10 other unknown spades and 5H 5D 5C: (1 + 13/47) / 2.
    assert beaten[16 * 3 + 5] == pytest.approx((1 + 13 / 47) / 2)


def test_one_turn_goes_for_the_win_where_thrifty_would_wait():
    # Target 3. Of 48 cards in the stack 9S, the other's only card and known, wins 11 spades and three nines.
    # KH wins 23: 19 alone, JS QS KS 9H both; 10 go to the other, 15 to nobody. 10D wins 15: 13 alone, 9D and
    # 10S both; 12 go to the other, 21 to nobody. A win alone makes 2 + 2 cards, the other's 1 + 2: the end.
    # A draw keeps a lead of 1: 1 / (1 + e^-0.11) = 0.5275. A blank costs the worth of the hand without the
    # bet: KH 231/48 = 4.81, 1 / (1 + e^(0.11 · 3.81)) = 0.3967; 10D 135/48 = 2.81, 0.4503.
    # KH (19 + 4 · 0.5275 + 15 · 0.3967) / 48 = 0.564; 10D (13 + 2 · 0.5275 + 21 · 0.4503) / 48 = 0.490.
    game = table("KH 10D", "9S", "9S", hand_size=1, target=3)
    assert bet_of("thrifty", game) == "10D"
    assert bet_of("one-turn", game) == "KH"
    view = game.view(0)
    unknown, mass = unknown_cards(game.settings, view)[0], np.empty((52, 2, 15))
    stock = count_stock(unknown, view.returned[0], view.stacked[0])
    imagine_turns(mass, np.uint64(1), 4, unknown, view.other_public[0], view.returned[0], 1, stock, 48, True)
    bets, won, weights = (
        np.empty(MOST_BETS, np.uint64),
        np.empty(MOST_BETS, np.uint64),
        np.empty(MOST_BETS, int),
    )
    weigh_bets(bets, won, weights, SHORTEST, view.hand[0], stock, True, True)
    values = [
        promise_of_bet(mass, won[k], 1, less, 2, 1, 3, False) for k, less in enumerate((231 / 48, 135 / 48))
    ]
    assert values == pytest.approx([0.5637, 0.4898], abs=0.0001)


def test_imagined_turns_of_a_known_hand_by_hand():
    # The other holds 5C 2C, known: it bets 5C, 2C or both, 1 in 3 each, and saves by lot.
    game = table("KH", "5C 2C", "5C 2C")
    view = game.view(0)
    unknown, mass = unknown_cards(game.settings, view)[0], np.empty((52, 2, 15))
    stock = count_stock(unknown, view.returned[0], view.stacked[0])
    imagine_turns(
        mass, np.uint64(9), 6_000, unknown, view.other_public[0], view.returned[0], 2, stock, 48, True
    )
    odds = counting_odds(game.settings, view)[0]
    assert mass.sum(axis=(1, 2)) == pytest.approx(odds)
    # A club: every bet wins by suit; a single card is bet 2 in 3, then with or without the other to save it.
    clubs = mass[parse_card("9C")] / odds[parse_card("9C")]
    assert clubs[1, 1] == pytest.approx(1 / 3, abs=0.03) and clubs[1, 2] == pytest.approx(2 / 3, abs=0.03)
    # 7H: only both, 5 + 2, win, and no heart is there to save with.
    hearts = mass[parse_card("7H")] / odds[parse_card("7H")]
    assert hearts[1, 2] == pytest.approx(1 / 3, abs=0.03) and hearts[0, 1] == pytest.approx(2 / 3, abs=0.03)


def test_tree_plays_for_the_result_where_the_game_ends_now():
    # The position of `one-turn` above with one turn to go; no result but a win alone, 1, and a loss alone, 0,
    # decides: KH (19 + 19 / 2) / 48 = 0.59, 10D (13 + 23 / 2) / 48 = 0.51. Thrifty would keep the king.
    game = table("KH 10D", "9S", "9S", hand_size=1, target=3, max_turns=1)
    assert bet_of("thrifty", game) == "10D"
    assert bet_of("tree:simulations=300", game) == "KH"
    assert bet_of("tree:simulations=300,turns=1,exploration=0.5", game) == "KH"


def test_tree_with_one_simulation_bets_as_thrifty_does():
    # Nothing has been tried, so the bet with the largest share of the bonus is; that is thrifty's.
    game = middle_of_games(11, 12, 6, SaveTheBetSettings())
    view, draws = game.view(0), game.draws(0)
    thrifty = parse_agent("thrifty", "save-the-bet").make(game.settings)
    tree = parse_agent("tree:simulations=1", "save-the-bet").make(game.settings)
    assert (tree.act(view, draws) == thrifty.act(view, draws)).all()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("tree:simulations=0", "simulations is a whole number from 1 to 100,000, not 0"),
        ("tree:turns=51", "turns is a whole number from 1 to 50, not 51"),
        ("tree:exploration=-1", "exploration is a number from 0 to 10, not -1.0"),
        ("one-turn:samples=0", "samples is a whole number from 1 to 10,000, not 0"),
    ],
)
def test_options_out_of_range_are_refused(options, message):
    with pytest.raises(InvalidSettings, match=message):
        parse_agent(options, "save-the-bet").make(SaveTheBetSettings())
