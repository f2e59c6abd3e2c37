"""What it costs to reverse a pair of an order: exactly, at least, and at most."""
