"""What is measured: a module a library, each run in a process of its own, mostly in another environment.

A peer's environment has no Railbird in it, so a probe of a peer imports nothing of ours but its neighbours
here. ``FORMS`` of a probe names its ways of being stepped; each value prepares one and returns a *pass*, a
function that has some random legal decisions processed, restarts what is over and returns how many they
were. ``PACKAGES`` are the distributions whose versions are told.
"""
