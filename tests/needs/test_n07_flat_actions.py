"""N7: flat, decodable actions, whose table can be printed."""

from __future__ import annotations

from gymnasium.spaces import MultiDiscrete

from railbird.envs.checking import masks


def test_decode_and_encode_are_inverse_over_all_actions(any_doors):
    masks.actions_round_trip(any_doors)


# ---- each seen failing


class Spoilt:
    """An encoding with one part of it replaced."""

    def __init__(self, encoding, **parts):
        self.__dict__.update(parts)
        self.encoding = encoding

    def __getattr__(self, name):
        return getattr(self.encoding, name)


def with_encoding(case_of, **parts):
    """A member that spoils the encoding that an environment shows."""
    base = type(case_of("Superfecta").make())

    def spoilt(self):
        encoding = base.encoding.fget(self)
        return Spoilt(encoding, **{name: part(encoding) for name, part in parts.items()})

    return {"encoding": property(spoilt)}


def test_a_decoding_that_is_off_by_one_is_found(case_of, broken, fails):
    shifted = with_encoding(
        case_of, decode=lambda encoding: lambda action: encoding.decode(max(action - 1, 0))
    )
    message = r"action 1 decodes to \('', '', 0\), which encodes to 0; let encode undo decode"
    fails(masks.actions_round_trip, broken("Superfecta", single=shifted), message)


def test_two_actions_of_one_text_are_found(case_of, broken, fails):
    def without_stakes(encoding):
        return lambda action: encoding.action_text(action).partition(" ")[2]

    nameless = with_encoding(case_of, action_text=without_stakes)
    doors = broken("Superfecta", {"stakes": (1, 2)}, single=nameless)
    fails(masks.actions_round_trip, doors, "actions 1 and 2 are both called 'WIN H'; give each its own text")


def test_an_encoding_of_other_length_than_the_space_is_found(case_of, broken, fails):
    longer = with_encoding(case_of, actions=lambda encoding: 42)
    fails(
        masks.actions_round_trip,
        broken("Superfecta", single=longer),
        "the space has 41 actions, the encoding 42",
    )


def test_ragged_actions_are_found(case_of, broken, fails):
    base = type(case_of("Superfecta").make())

    def ragged(self, **given):
        base.__init__(self, **given)
        self.action_space = MultiDiscrete([40, 3])

    message = r"the actions are MultiDiscrete\(\[40 3\]\); make them one Discrete"
    fails(masks.actions_round_trip, broken("Superfecta", single={"__init__": ragged}), message)
