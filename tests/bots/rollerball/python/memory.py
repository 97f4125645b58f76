calls = 0


def remember():
    global calls
    calls += 1
    return calls
