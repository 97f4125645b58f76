// What the programs of both generations share: options and words.
#pragma once

#include <string>
#include <vector>

namespace agon {

struct Options {
    std::string host = "127.0.0.1";
    int port = -1;
};

// Reads `-p PORT`, `--port PORT` and `--host HOST`. Without a port the program says so and ends with status 0, as the course's did.
Options read_options(int count, char** arguments);

std::vector<std::string> words_of(const std::string& message);

// Something is wrong that the other end cannot be told.
void complain(const std::string& problem);

}  // namespace agon
