"""What a person does in the terminal: read odds, watch a race, play against the zoo."""
