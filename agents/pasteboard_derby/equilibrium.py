"""Play that is its own answer: every horse with chance 1/4 in every race, whatever has happened.

*It is an equilibrium of the whole game*, with one place or two, whatever the bank holds and whoever can still
pay. Call a renaming of the horses harmless if it leaves the law of the race alone: who comes first, who
second. With one place all renamings are. With two places and affinity, horses of one colour come in together
less often; harmless are the renamings that keep the colours together, and one of these leads from any horse
to any other. Now let all other seats draw evenly. A harmless renaming that takes horse h to horse g does not
change the law of the others' horses either, so naming h and naming g give the same law of all payouts and of
what stays in the bank. Later play, even draws again, depends on nothing else. So in every position the four
horses are equally good, to the greedy and to the cautious, and an even draw is a best reply.

*With one place there is no other symmetric one in a race*, of chips that can be split: let everybody name
horse h with chance q_h. To a payer among N others it is worth (bank / 4) · E[f(K)] more than nothing, with K
binomial(N, q_h), f(0) = 1 - part, f(k) = 1 / (1 + k) (`worth`). With three payers or more, part ≤ 1/3, so f
falls strictly and so does the worth in q_h: a horse named less often than another is the better one.

There are others that are not symmetric: six seats that keep to their horses, 2, 2, 1 and 1 of them on each,
are in equilibrium too, since who leaves a pair makes another one. And an even draw has no defence against
such seats, nor does it take anything from the predictable: it only leaves nobody a better reply.

All this is exact but for races that outlast the stock (`railbird.games.pasteboard_derby.law`).
"""

from __future__ import annotations

from typing import ClassVar

from .anchors import Random


class Equilibrium(Random):
    """Draws each horse with chance 1/4; draw for draw what `Random` does, for the reasons given above."""

    idea: ClassVar[str] = "Names every horse equally often, to which no reply is better than another."
    source: ClassVar[str] = (
        "Nash, equilibrium points in n-person games (1950); the proof stands in the module"
    )
