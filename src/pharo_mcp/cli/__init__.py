"""The command line. No other package prints."""
