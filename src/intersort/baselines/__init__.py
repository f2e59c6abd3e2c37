"""Other ways from data or distances to an order, to be compared with ours; one file each."""
