"""``python -m railbird`` is the command line."""

from .cli import main

main()
