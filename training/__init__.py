"""Making learned agents."""
