"""The command line. No other package prints. `statuses` has the exit statuses."""
