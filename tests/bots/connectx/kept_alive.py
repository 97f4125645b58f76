"""Lives for a match: answers each position with a line. Notes in the file `starts` of its folder that it was started."""

import sys

with open("starts", "a") as notes:
    notes.write("started\n")

while True:
    lines = [sys.stdin.readline() for _ in range(12)]
    if not lines[0]:
        break
    grid = [[int(word) for word in line.split()] for line in lines[2:11]]
    player, row, column = (int(word) for word in lines[11].split())
    active = 4 if row < 0 else row % 3 * 3 + column % 3
    cells = [(b // 3 * 3 + p // 3, b % 3 * 3 + p % 3) for b in [active, *range(9)] for p in range(9)]
    print(*next((r, c) for r, c in cells if grid[r][c] == 0), flush=True)
