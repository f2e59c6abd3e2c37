"""What the neural rivals share: many problems of one size, trained side by side on one device."""
