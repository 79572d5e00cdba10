"""The next useful step after an answer, by the tool that gives it; errors name theirs themselves."""

NEXT_STEPS = {
    "define_class": "compile_method gives it methods.",
    "get_class": "get_method shows a method.",
    "get_method": "search finds its senders and implementors.",
    "get_package": "get_class shows one.",
    "run_tests": "All is green; list_changes tells what was changed.",
    "undo_change": "run_tests tells whether all works; list_changes lists what is left to undo.",
}
"""Only tools that are listed to every model, and none that a session may lack that only reads."""
