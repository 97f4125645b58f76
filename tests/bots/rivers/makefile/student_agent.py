raise RuntimeError("the compiled module comes first")
