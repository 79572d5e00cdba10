"""What Pharo 13 and 14 lack or deprecate, and what to use there instead."""
