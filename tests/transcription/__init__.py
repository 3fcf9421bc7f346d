"""A second, literal reading of the four documents, kept apart from the code it tests."""
