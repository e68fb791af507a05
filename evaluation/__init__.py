"""Judging agents: match play, line-ups, tournaments, intervals, results and how they are shown.

`tournament.run` plays what `tournament.TournamentSettings` says; `present.show_result` prints it.
"""
