"""One file a distance: the file's name is the distance's name, `distance` its function."""
