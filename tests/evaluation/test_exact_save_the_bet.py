"""Save The Bet on small decks, played out: against the oracle, brute force, and games of the real tables."""

import copy
from collections import defaultdict
from dataclasses import dataclass, fields
from functools import cache
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest

import save_the_bet_oracle as oracle
from railbird.agents.contract import Agent
from railbird.evaluation.exact.cfr import find_equilibrium
from railbird.evaluation.exact.enumeration import RECORD, play_out
from railbird.evaluation.exact.forms import behaviour_of, even_plan, plan_of
from railbird.evaluation.exact.responses import best_response, exploitability, gains
from railbird.evaluation.exact.strategies import strategy_of
from railbird.evaluation.exact.tables import distinct, keys_of_gambles, legal_decisions
from railbird.games.errors import InvalidSettings
from railbird.games.save_the_bet.settings import SaveTheBetSettings
from railbird.games.save_the_bet.table import SaveTheBet

FIVE: dict[str, Any] = {
    "suits": 2,
    "ranks": 3,
    "hand_size": 2,
    "target": 3,
}  # AH 2H 3H 2D 3D, a stack of one card
SEVEN: dict[str, Any] = {"suits": 2, "ranks": 4, "hand_size": 1, "target": 4}  # and 4H 4D, a stack of five


@cache
def played_out(max_turns: int, **rules: Any) -> Any:
    return play_out(SaveTheBetSettings(max_turns=max_turns, **rules))


def bent_chances(decisions, hand, gamble, others):
    """A rule that makes chances (…, k) out of decisions (…, k) and what a seat sees, all plain integers."""
    weights = 1 + (decisions % 7 + hand % 5 + 3 * gamble + others) % 4
    return weights / weights.sum(axis=-1, keepdims=True)


class Bent(Agent[Any]):
    """Draws by this rule."""

    def chances(self, view, decisions):
        seen = (view.hand, view.gamble, view.wagered[:, 1])
        return bent_chances(
            decisions[:, :, 0].astype(np.int64), *(part.astype(np.int64)[:, None] for part in seen)
        )

    def act(self, view, draws):
        raise AssertionError("its chances are asked for, not its decisions")


@dataclass(frozen=True)
class Made:
    """A factory as the registry hands them out."""

    text: str
    kind: type

    def make(self, settings):
        return self.kind(settings)


BENT = Made("bent", Bent)


# ---- the oracle played out: another program that finds best responses


def bits(cards):
    return sum(1 << card for card in cards)


def rules_of(settings):
    excluded = 13 * (settings.suits - 1) if settings.missing_ace else None
    return oracle.Settings(
        settings.hand_size, settings.target, settings.max_turns, settings.wins_by, settings.draw_returns,
        settings.suits, settings.ranks, excluded,
    )  # fmt: skip


def deals(settings, seat):
    """For each hand of the seat, a table for each hand of the other; all are equally likely."""
    deck, size = settings.cards(), settings.hand_size
    for own in combinations(deck, size):
        rest = [card for card in deck if card not in own]
        tables = []
        for other in combinations(rest, size):
            hands = [own, other] if seat == 0 else [other, own]
            stack = [card for card in rest if card not in other]
            tables.append(oracle.SaveTheBet(settings, [*hands[0], *hands[1], *stack], lambda stack: stack))
        yield tables


def legal_bets(hand):
    """All non-empty sets of one suit, or the empty one of an empty hand."""
    bets = [part for size in range(1, len(hand) + 1) for part in combinations(sorted(hand), size)]
    return [bet for bet in bets if len({oracle.suit_of(card) for card in bet}) == 1] or [()]


def legal_saves(game, seat):
    return [None, *game.legal_saves(seat)]


def clone(game):
    other = copy.copy(game)
    for name in ("hands", "known", "bets"):
        setattr(other, name, [set(cards) for cards in getattr(game, name)])
    other.stack, other.known_in_stack = list(game.stack), set(game.known_in_stack)
    return other


def after_bets(game, bets, gamble):
    """The table with these bets and this card on top of the stack."""
    game = clone(game)
    game.stack.sort(key=lambda card: card != gamble)
    assert game.bet(*bets) == gamble
    return game


def bent_bets(game, seat):
    """The bent agent's bets with their chances."""
    bets = legal_bets(game.hands[seat])
    return zip(
        bets, bent_chances(np.array([bits(bet) for bet in bets]), bits(game.hands[seat]), -1, 0), strict=True
    )


def bent_saves(game, seat):
    saves = legal_saves(game, seat)
    codes = np.array([0 if save is None else 1 << save for save in saves])
    chances = bent_chances(codes, bits(game.hands[seat]), game.gamble, len(game.bets[1 - seat]))
    return zip(saves, chances, strict=True)


def in_order(seat, own, other):
    return (own, other) if seat == 0 else (other, own)


def won(turn, seat):
    return 0 if turn.winner is None else 1 if turn.winner == seat else -1


def best_bet(tables, seat):
    """The most a seat can make of tables [(table, chance)] it cannot tell apart, against the bent agent."""
    values = []
    for own in legal_bets(tables[0][0].hands[seat]):
        seen = defaultdict(list)
        for game, chance in tables:
            for (other, part), gamble in product(list(bent_bets(game, 1 - seat)), list(game.stack)):
                later = after_bets(game, in_order(seat, own, other), gamble)
                seen[gamble, len(other)].append((later, chance * part / len(game.stack)))
        values.append(sum(best_save(group, seat) for group in seen.values()))
    return max(values)


def best_save(tables, seat):
    values = []
    for own in legal_saves(tables[0][0], seat):
        value, seen = 0.0, defaultdict(list)
        for game, chance in tables:
            for other, part in bent_saves(game, 1 - seat):
                later = clone(game)
                turn = later.save(*in_order(seat, own, other))
                if turn.over:
                    value += chance * part * won(turn, seat)
                else:
                    seen[turn.bets[1 - seat], turn.saves[1 - seat]].append((later, chance * part))
        values.append(value + sum(best_bet(group, seat) for group in seen.values()))
    return max(values)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(
    ("max_turns", "rules"),
    [
        (3, FIVE),
        (2, SEVEN),
        (2, FIVE | {"wins_by": "value", "draw_returns": "swap"}),
        (1, SEVEN | {"hand_size": 2}),
    ],
)
def test_best_response_is_that_of_the_oracle_played_out(max_turns, rules, seat):
    small = played_out(max_turns, **rules)
    settings = rules_of(small.settings)
    hands = list(deals(settings, seat))
    chance = 1 / sum(map(len, hands))
    expected = sum(best_bet([(game, chance) for game in tables], seat) for tables in hands)
    rival = plan_of(small.form.sides[1 - seat], strategy_of(small, 1 - seat, BENT, 2, 1).behaviour)
    assert best_response(small.form, seat, rival).value == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("seat", [0, 1])
def test_best_response_is_the_best_of_all_pure_strategies(seat):
    # One turn on five cards. A pure strategy names a bet for each hand, and a save for each gamble and number
    # of cards the other may have bet; what it does with one hand does not touch another, so hand by hand.
    small = played_out(1, **FIVE)
    tried, expected = [], 0.0
    for tables in deals(rules_of(small.settings), seat):
        hand = tables[0].hands[seat]
        ways = defaultdict(list)  # (own bet, gamble, other's number of cards) -> [(table, chance)]
        for own, game in product(legal_bets(hand), tables):
            for other, part in bent_bets(game, 1 - seat):
                for gamble in game.stack:
                    later = after_bets(game, in_order(seat, own, other), gamble)
                    ways[own, gamble, len(other)].append((later, part / 30))
        saves = {known: legal_saves(group[0][0], seat) for known, group in ways.items()}
        values = [
            sum(
                worth(ways[known], seat, save)
                for known, save in zip(saves, chosen, strict=True)
                if known[0] == bet
            )
            for bet in legal_bets(hand)
            for chosen in product(*saves.values())
        ]
        tried.append(len(values))
        expected += max(values)
    # Two hearts: 3 bets, and after either single card the third heart may turn up, with 1 or 2 cards of the
    # other's: 3 · 2^4 = 48. One of each suit: 2 bets, and after either two situations with a save:
    # 2 · 2^4 = 32. Two diamonds: there is no third to turn up: 3.
    assert sorted(tried) == [3] + [32] * 6 + [48] * 3
    rival = plan_of(small.form.sides[1 - seat], strategy_of(small, 1 - seat, BENT, 2, 1).behaviour)
    assert best_response(small.form, seat, rival).value == pytest.approx(expected, abs=1e-12)


def worth(tables, seat, own):
    """What a save brings at tables that the seat cannot tell apart, when it is the last."""
    return sum(
        chance * part * won(clone(game).save(*in_order(seat, own, other)), seat)
        for game, chance in tables
        for other, part in bent_saves(game, 1 - seat)
    )


# ---- what there is to know and to choose


def test_first_bets_are_all_legal_ones_of_every_hand():
    # Ten hands. Two of one suit (3 of hearts, 1 of diamonds): 3 bets; one of each (6): 2. 4·3 + 6·2 = 24.
    small = played_out(1, **FIVE)
    for seat in (0, 1):
        first = small.moments[seat][0]
        assert sorted(first.sets) == list(range(10))
        assert small.form.sides[seat].first[10] - small.form.sides[seat].first[0] == 24


def test_a_seat_sees_the_gamble_and_how_many_cards_the_other_bet_and_no_more():
    # Two hearts in hand: the gamble is the third, and the other, with two diamonds, bets 1 or 2 cards; or it
    # is one of two diamonds, and the other bets 1: 4 sights after each of 3 bets, 3 hands: 36.
    # Two diamonds: one of 3 hearts, and 1 or 2 cards: 6 sights after each of 3 bets: 18.
    # One of each: 4 sights, in the same way, after each of 2 bets, 6 hands: 48. Together 102.
    small = played_out(1, **FIVE)
    assert [len(small.moments[seat][1].sets) for seat in (0, 1)] == [102, 102]
    # A save is a choice where the card left has the gamble's suit. Two hearts: 2 single bets, the third
    # heart, 1 or 2 cards: 4 · 3 hands. One of each: the heart bet, the last diamond, 1 or 2 cards; the
    # diamond bet, either heart, 1 card: 4 · 6 hands. Two diamonds: never. 10 sets for bets + 12 + 24 = 46.
    assert [side.sets for side in small.form.sides] == [46, 46]


def test_what_a_seat_saw_and_did_before_is_never_forgotten():
    # Positions that look alike but came about differently are different information sets.
    small = played_out(3, **FIVE)
    for seat in (0, 1):
        moment = small.moments[seat][4]
        game = SaveTheBet(small.settings, 0, len(moment.sets))
        game.load(moment.tables)
        alike = len(np.unique(distinct(columns(game, seat, with_record=False))[0]))
        ways = distinct([moment.before, *columns(game, seat, with_record=False)])[0]
        assert alike < len(np.unique(ways)) <= len(moment.sets)


def test_with_hands_of_one_card_the_first_to_win_has_won_and_there_is_nothing_to_choose():
    # A card each, the only bet, and none left to save: 3 cards for the winner are the target.
    small = played_out(4, suits=2, ranks=3, hand_size=1, target=3)
    assert [side.sets for side in small.form.sides] == [0, 0]
    nothing = (np.ones(1), np.ones(1))
    assert small.form.value(nothing) == pytest.approx(0, abs=1e-12)  # alike for both seats
    assert exploitability(small.form, nothing) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(("max_turns", "rules"), [(4, FIVE), (3, SEVEN)])
def test_chances_sum_to_one_whatever_the_seats_do(max_turns, rules):
    small = played_out(max_turns, **rules)
    ends = small.form.endings
    plans = [
        plan_of(small.form.sides[seat], strategy_of(small, seat, BENT, 2, 1).behaviour) for seat in (0, 1)
    ]
    reached = ends.chance * plans[0][ends.sequences[:, 0]] * plans[1][ends.sequences[:, 1]]
    assert reached.sum() == pytest.approx(1, abs=1e-12)
    assert ends.chance.min() > 0
    assert set(ends.winnings) == {-1.0, 0.0, 1.0}


@pytest.mark.parametrize("turn", [0, 3])
def test_keys_turn_up_the_card_they_are_for(turn):
    settings = SaveTheBetSettings(**SEVEN, max_turns=4)
    keys = keys_of_gambles(settings, turn)
    game = SaveTheBet(settings, seed=5, lanes=400)
    game.start()
    game.state.turn[:] = 2 * turn
    wanted = [card for card in range(52) if settings.deck >> card & 1]
    for card in wanted:
        lanes = np.flatnonzero(game.state.stack >> np.uint64(card) & np.uint64(1))
        assert len(lanes) > 100
        copied = SaveTheBet(settings, 0, 400)
        copied.load(game.save())
        copied.state.key[:] = keys[card]
        copied.submit(copied.fallback())
        assert (copied.state.gamble[lanes] == card).all()


def test_legal_decisions_are_those_of_the_rules():
    game = SaveTheBet(
        SaveTheBetSettings(**FIVE | {"ranks": 4, "hand_size": 3, "target": 4}), seed=3, lanes=60
    )
    game.start()
    for _ in range(2):
        for seat in (0, 1):
            lanes, decisions = legal_decisions(game, seat)
            for lane in range(game.lanes):
                found = [int(cards) for cards in decisions[lanes == lane]]
                assert found == sorted(expected_decisions(game, lane, seat))
        game.submit(game.fallback())


def expected_decisions(game, lane, seat):
    hand = [card for card in range(52) if int(game.state.hands[lane, seat]) >> card & 1]
    if game.state.turn[lane] % 2 == 0:
        return [bits(bet) for bet in legal_bets(hand)]
    suit = int(game.state.gamble[lane]) // 13
    return [0, *(1 << card for card in hand if card // 13 == suit)]


# ---- games of the real tables


def columns(game, seat, with_record=True):
    view = game.view(seat)
    seen = [getattr(view, item.name) for item in fields(view) if item.name not in ("lane", "seat")]
    return seen + [getattr(game.state, name) for name in RECORD] * with_record


def sights(game, seat):
    """What a seat sees in each lane, as tuples of integers."""
    parts = [column.reshape(game.lanes, -1).astype(np.int64) for column in columns(game, seat)]
    return list(map(tuple, np.column_stack(parts).tolist()))


def draw_decisions(game, generator):
    """Every seat takes one of its legal decisions, all equally likely."""
    decisions = game.blank()
    for seat in (0, 1):
        lanes, options = legal_decisions(game, seat)
        counts = np.bincount(lanes, minlength=game.lanes)
        place = np.cumsum(counts) - counts + generator.integers(0, counts)
        decisions[:, seat, 0] = options[place]
    return decisions


@pytest.mark.parametrize(("max_turns", "rules"), [(4, FIVE), (3, SEVEN)])
def test_real_games_end_as_the_played_out_game_says(max_turns, rules):
    small = played_out(max_turns, **rules)
    generator = np.random.default_rng(8)
    game = SaveTheBet(small.settings, seed=11, lanes=300)
    game.start()
    rows, sequences = np.zeros((300, 2), np.int64), np.zeros((300, 2), np.int64)
    result = np.zeros(300)
    for phase in range(2 * max_turns):
        on, decisions = np.flatnonzero(~game.over), draw_decisions(game, generator)
        for seat in (0, 1):
            rows[on, seat] = rows_of(small, game, seat, phase, rows[:, seat])[on]
            for lane in on:
                sequences[lane, seat] = follow(
                    small, seat, phase, rows[lane, seat], sequences[lane, seat], decisions[lane, seat, 0]
                )
        game.submit(decisions, ~game.over)
        result[on] = game.profit[on, 0]
    assert game.over.all()
    ends = defaultdict(set)
    for pair, winnings in zip(
        small.form.endings.sequences.tolist(), small.form.endings.winnings, strict=True
    ):
        ends[tuple(pair)].add(winnings)
    found = [ends[tuple(pair)] for pair in sequences.tolist()]
    assert all(value in ending for value, ending in zip(result, found, strict=True))
    # A turn without a choice leaves no sequence behind; nearly always what was chosen tells how it ended.
    assert sum(len(ending) == 1 for ending in found) > 200


def rows_of(small, game, seat, phase, before):
    """For each lane the row of the seat's moment whose table looks as the lane does, after the row before."""
    moment = small.moments[seat][phase]
    known = SaveTheBet(small.settings, 0, len(moment.sets))
    known.load(moment.tables)
    row_of = {
        key: row for row, key in enumerate(zip(moment.before.tolist(), sights(known, seat), strict=True))
    }
    assert len(row_of) == len(moment.sets)
    return np.array([row_of.get(key, -1) for key in zip(before.tolist(), sights(game, seat), strict=True)])


def follow(small, seat, phase, row, sequence, decision):
    """The sequence after a decision in a row of a moment, come to by a sequence."""
    assert row >= 0
    number, side = small.moments[seat][phase].sets[row], small.form.sides[seat]
    if number < 0:
        return sequence
    assert side.parent[number] == sequence
    offered = small.decisions[seat][side.first[number] : side.first[number + 1]]
    return side.first[number] + offered.tolist().index(decision)


@pytest.mark.parametrize(("max_turns", "rules"), [(4, FIVE), (3, SEVEN)])
def test_real_games_by_even_play_end_as_often_as_the_chances_say(max_turns, rules):
    small, lanes = played_out(max_turns, **rules), 20_000
    ends, plans = small.form.endings, [even_plan(side) for side in small.form.sides]
    reached = ends.chance * plans[0][ends.sequences[:, 0]] * plans[1][ends.sequences[:, 1]]
    generator = np.random.default_rng(4)
    game = SaveTheBet(small.settings, seed=2, lanes=lanes)
    game.start()
    result = np.zeros(lanes)
    while not game.over.all():
        on = ~game.over
        game.submit(draw_decisions(game, generator), on)
        result[on] = game.profit[on, 0]
    for outcome in (-1, 0, 1):
        chance = reached[ends.winnings == outcome].sum()
        assert 0.02 < chance < 0.98
        assert abs((result == outcome).mean() - chance) < 4 * np.sqrt(chance * (1 - chance) / lanes)


# ---- equilibria


@pytest.mark.parametrize(("max_turns", "rules"), [(4, FIVE), (3, SEVEN), (2, SEVEN | {"hand_size": 2})])
def test_cfr_comes_below_a_thousandth_on_small_decks(max_turns, rules):
    small = played_out(max_turns, **rules)
    solution = find_equilibrium(small.form, 100)
    at = dict(solution.trace)
    assert at[1] > at[4] > at[16] > at[64] > at[100] == solution.exploitability
    assert at[1] > 5e-3
    assert solution.exploitability < 1e-3
    assert exploitability(small.form, solution.plans) == solution.exploitability
    # Both seats are alike, so the game is worth nothing to either.
    assert abs(small.form.value(solution.plans)) < 1e-3


def test_gains_are_not_negative_and_add_up_to_twice_the_exploitability():
    small = played_out(3, **FIVE)
    generator = np.random.default_rng(6)
    for _ in range(20):
        plans: Any = []
        for side in small.form.sides:
            weights = generator.exponential(size=side.sequences)
            weights[1:] /= np.repeat(np.add.reduceat(weights, side.first[:-1]), side.choices)
            plans.append(plan_of(side, weights))
            assert behaviour_of(side, plans[-1])[1:] == pytest.approx(weights[1:])
        won_more = gains(small.form, tuple(plans))
        assert min(won_more) >= -1e-12
        assert exploitability(small.form, tuple(plans)) == pytest.approx(sum(won_more) / 2)


# ---- limits


@pytest.mark.parametrize(
    ("options", "most", "message"),
    [
        ({}, 30_000, "a deck of 51 cards with hands of 6 and at most 200 turn"),
        (
            SEVEN | {"max_turns": 9},
            30_000,
            "30,000 are allowed; take fewer cards, smaller hands or fewer turns",
        ),
        # 7 · 6 deals of a card each, bet as they are, and 5 cards to turn up: 210.
        (SEVEN | {"max_turns": 1}, 209, "210 histories in one phase, 209 are allowed"),
        # Two hearts (3 bets) meet one of each twice (2 bets) or two diamonds (3): 3 hands · 3 · 7 = 63.
        # Two diamonds meet two hearts thrice: 3 · 9 = 27. One of each meets its like twice or two hearts:
        # 6 · 2 · 7 = 84. Together 174.
        (FIVE | {"max_turns": 1}, 173, "174 histories in one phase, 173 are allowed"),
        (FIVE | {"max_turns": 1}, 174, r"\d+ histories in one phase, 174 are allowed"),  # with saves
    ],
)
def test_a_game_too_large_is_refused(options, most, message):
    with pytest.raises(InvalidSettings, match=message):
        play_out(SaveTheBetSettings(**options), most)
