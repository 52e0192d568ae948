"""The boundaries, one activity a file, and the adapters to the providers."""
