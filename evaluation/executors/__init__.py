"""Where blocks are played: in this process, in several of this machine, or on a Ray cluster.

An executor is handed a plan and the numbers of blocks, and hands their results back in the order of the
numbers, whoever was done first. A block's result is a pure function of the plan and its number, so a block
whose worker died is simply played again, and the executor makes no difference to a tournament's result.

The one exception is told where it occurs: an agent that is stopped because a call of it took longer than the
time limit. It is at fault from that call on to the end of the block, nobody else is touched, and the fault
says that the clock decided. A limit is kept by another process, since a hanging agent may hold the
interpreter; so a time limit means worker processes, even if it is one.
"""

from .choice import Engine, Executor, choose_workers

__all__ = ["Engine", "Executor", "choose_workers"]
