"""The doors to the games: environments, single and vectorised, whose other seats are played by agents."""
