"""The doors to the games: Gymnasium environments, single and vectorised, with the other seats played by agents."""
