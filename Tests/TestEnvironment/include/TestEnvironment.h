// A target in C has to have a header. This one declares nothing: linking the target is all it takes.
