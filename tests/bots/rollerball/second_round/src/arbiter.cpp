#error "the course handed this file out: it is no part of the engine"
