"""Objects: how ranges, lists and instances of classes are made, converted and changed, and what their members are."""
