"""Who decides: the contract of an agent, a zoo of them for each game, and the registry that finds them."""
