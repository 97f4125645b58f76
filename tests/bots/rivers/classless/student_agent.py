class StudentAgnet:
    pass
