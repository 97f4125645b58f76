#pragma once

inline int hint() { return no_such_hint; }
