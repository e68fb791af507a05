"""The chances of horses and pairs under affinity, worked out exactly from path counts. Rule: RULES.md §5.

The ways to deal suits to horses are counted by polynomials: the coefficient of h^a d^b c^e s^f is the number
of ways that use so many cards of each suit, and each way has the same chance, that of its suits being dealt
in any one order without replacement. Before the line each horse's way is its own, so these polynomials
multiply. All are homogeneous, so s = 1 loses nothing; they are kept as values on a Fourier grid (half of it:
the coefficients are real), where products are plain. Every polynomial is of races that hearts win or may win.
"""

import itertools
from functools import cache

import numpy as np
import pytest

from railbird.games.pasteboard_derby.law import OTHER_COLOUR, SAME_COLOUR

H, D, C, S = range(4)
SUITS = (H, D, C, S)
MATE = (D, H, S, C)
STOCK = 41
GRID = STOCK + 1  # powers reach 41
HALF = GRID // 2 + 1
LINE = 8


def subsets(horses, least):
    return [group for size in range(least, len(horses) + 1) for group in itertools.combinations(horses, size)]


def product(*polynomials):
    out = 1.0
    for polynomial in polynomials:
        out = out * polynomial
    return out


def below(ways, limit):
    return sum((ways[place] for place in ways if place < limit), 0.0)


def one_card():
    """For each horse the polynomials of a card that moves it 1, 2, 3; each card is weighed 1/4."""
    roots = np.exp(-2j * np.pi * np.arange(GRID) / GRID) / 4
    cube = np.ones((GRID, GRID, HALF), complex)
    suits = [roots[:, None, None] * cube, roots[:, None] * cube, roots[:HALF] * cube, cube / 4]
    return [
        {
            1: sum(suits[suit] for suit in SUITS if suit not in (horse, MATE[horse])),
            2: suits[MATE[horse]],
            3: suits[horse],
        }
        for horse in SUITS
    ]


@cache
def weights_of(cards):
    """The weights that turn a polynomial of so many cards into a chance."""
    falling = np.zeros(GRID)  # 12 * 11 * …: ways to take that many cards of a suit in order
    falling[:13] = [np.prod([12.0 - i for i in range(count)]) for count in range(13)]
    first, second, third = np.indices((GRID, GRID, GRID))
    fourth = cards - first - second - third
    weights = falling[first] * falling[second] * falling[third]
    weights *= np.where(fourth >= 0, falling[np.maximum(fourth, 0)], 0)
    weights /= np.prod([(48.0 - i) / 4 for i in range(cards)])
    grid = np.conj(np.fft.rfftn(weights)) / GRID**3
    grid[:, :, 1:-1] *= 2  # each stands for its conjugate in the other half
    return grid


class Law:
    """Races that hearts win: their chance, and with whom second."""

    def __init__(self):
        self.card = one_card()
        self.first = self.tied = self.mean_rounds = 0.0
        self.second = np.zeros(4)
        self.outlast = {1: 0.0, 2: 0.0}  # races for first, and for second alone, that need a 42nd card
        self.waiting = {}  # (cards, whether hearts have won, level horses) -> polynomial
        self.ways = self.count_rounds()
        for rounds in range(3, 8):  # before round three nobody is past the line
            self.end_in_round(rounds)
        while self.waiting:
            cards, won, level = state = min(self.waiting)
            self.run_off(cards, won, level, self.waiting.pop(state))

    def count_rounds(self):
        """For each number of rounds and horse: place -> ways to it that were short of the line before."""
        ways = [[{1: 1.0} for _ in SUITS]]
        for _ in range(7):
            after = [{} for _ in SUITS]
            for horse in SUITS:
                for place, path in ways[-1][horse].items():
                    for move, card in self.card[horse].items():
                        if place < LINE:
                            after[horse][place + move] = after[horse].get(place + move, 0.0) + path * card
            ways.append(after)
        return ways

    def chance(self, cards, polynomial):
        return float(np.sum(polynomial * weights_of(cards)).real)

    def wait(self, cards, won, level, polynomial):
        state = (cards, won, level)
        self.waiting[state] = self.waiting.get(state, 0.0) + polynomial

    def decide_second(self, cards, level, polynomial):
        """Hearts have won; these horses are foremost among those that may be second."""
        if len(level) == 1:
            self.second[level[0]] += self.chance(cards, polynomial)
        else:
            self.wait(cards, True, level, polynomial)

    def end_in_round(self, rounds):
        ways, others = self.ways[rounds], (D, C, S)
        alone = {
            place: product(way, *(below(ways[horse], place) for horse in others))
            for place, way in ways[H].items()
            if place >= LINE
        }
        for place in alone:
            self.first += self.chance(4 * rounds, alone[place])
            self.mean_rounds += rounds * 4 * self.chance(4 * rounds, alone[place])  # any horse may be the one
            for level in subsets(SUITS, 2):
                behind = [below(ways[horse], place) for horse in SUITS if horse not in level]
                tie = product(*(ways[horse].get(place, 0.0) for horse in level), *behind)
                self.tied += self.chance(4 * rounds, tie)
                self.mean_rounds += rounds * self.chance(4 * rounds, tie)
                if H in level:
                    self.wait(4 * rounds, False, level, tie)
            self.place_others(ways[H][place], rounds, rounds, range(LINE, place))
        won = sum(ways[H][place] for place in alone)
        for later in range(rounds + 1, 8):  # nobody else past the line: the others race on
            self.place_others(won, rounds, later, range(LINE, LINE + 3))

    def place_others(self, won, rounds, later, places):
        """Hearts won with these ways in ``rounds``, the others' foremost passed the line in ``later``."""
        ways, others = self.ways[later], (D, C, S)
        for place in places:
            for level in subsets(others, 1):
                behind = [below(ways[horse], place) for horse in others if horse not in level]
                foremost = product(won, *(ways[horse].get(place, 0.0) for horse in level), *behind)
                self.decide_second(rounds + 3 * later, level, foremost)

    def cards_each(self, front, move, rest):
        """The ways to deal a card each so that ``front`` move so far and ``rest`` less."""
        return product(
            *(self.card[horse][move] for horse in front), *(below(self.card[horse], move) for horse in rest)
        )

    def run_off(self, cards, won, level, polynomial):
        """A card each to level horses."""
        if cards + len(level) > STOCK:
            chance = self.chance(cards, polynomial)
            self.outlast[2 if won else 1] += 4 * chance / (1 if won else len(level))
            self.share(won, level, chance / len(level))
            return
        cards += len(level)
        for front, move in itertools.product(subsets(level, 1), (1, 2, 3)):
            rest = [horse for horse in level if horse not in front]
            path = polynomial * self.cards_each(front, move, rest)
            if won:
                self.decide_second(cards, front, path)
            elif front == (H,):
                self.first += self.chance(cards, path)
                for behind, less in itertools.product(subsets(rest, 1), range(1, move)):
                    last = [horse for horse in rest if horse not in behind]
                    path = polynomial * self.card[H][move] * self.cards_each(behind, less, last)
                    self.decide_second(cards, behind, path)
            elif H in front:
                self.wait(cards, False, front, path)

    def share(self, won, level, part):
        """A race that outlasts the stock: an even part for each horse that is level."""
        if won:
            self.second[list(level)] += part
        else:
            self.first += part
            self.second[[horse for horse in level if horse != H]] += part / (len(level) - 1)


@pytest.fixture(scope="module")
def law():
    return Law()


def test_the_rules_mean_rounds_and_ties(law):
    assert law.mean_rounds == pytest.approx(3.46, abs=0.005)  # RULES: mean 3.46
    assert law.tied == pytest.approx(0.23, abs=0.005)  # RULES: 23 %
    assert law.mean_rounds == pytest.approx(3.4562, abs=5e-5)
    assert law.tied == pytest.approx(0.2326, abs=5e-5)


def test_each_horse_wins_one_race_in_four(law):
    assert law.first == pytest.approx(1 / 4, abs=1e-12)
    assert law.second.sum() == pytest.approx(1 / 4, abs=1e-12)


def test_pairs_of_one_colour_are_the_rarer_ones(law):
    assert law.second[D] == pytest.approx(SAME_COLOUR, abs=1e-12)
    assert law.second[[C, S]] == pytest.approx([OTHER_COLOUR] * 2, abs=1e-12)


def test_races_that_outlast_the_stock_are_as_rare_as_stated(law):
    assert law.outlast[1] == pytest.approx(4.0e-6, abs=5e-8)
    assert law.outlast[1] + law.outlast[2] == pytest.approx(10.4e-6, abs=5e-8)
