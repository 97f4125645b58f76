#include "program.hpp"

#include <cstdlib>
#include <iostream>
#include <sstream>

namespace agon {

namespace {

int port_from(const std::string& text) {
    char* end = nullptr;
    long port = std::strtol(text.c_str(), &end, 10);
    if (text.empty() || *end != '\0' || port < 0 || port > 65535) {
        std::cerr << "unknown port '" << text << "', expected a number from 0 to 65535" << std::endl;
        std::exit(2);
    }
    return static_cast<int>(port);
}

}  // namespace

Options read_options(int count, char** arguments) {
    Options options;
    for (int i = 1; i < count; ++i) {
        std::string word = arguments[i], value;
        std::size_t equals = word.find('=');
        if (word.compare(0, 2, "--") == 0 && equals != std::string::npos) {
            value = word.substr(equals + 1);
            word.resize(equals);
        } else if (word.compare(0, 2, "-p") == 0 && word.size() > 2) {
            value = word.substr(2);
            word.resize(2);
        } else if (i + 1 < count) {
            value = arguments[++i];
        }
        if (word == "-p" || word == "--port") options.port = port_from(value);
        if (word == "--host" && !value.empty()) options.host = value;
    }
    if (options.port < 0) {
        std::cout << "ERROR: port is a compulsory argument" << std::endl;
        std::exit(0);
    }
    return options;
}

std::vector<std::string> words_of(const std::string& message) {
    std::istringstream stream(message);
    std::vector<std::string> words;
    for (std::string word; stream >> word;) words.push_back(word);
    return words;
}

void complain(const std::string& problem) { std::cerr << problem << std::endl; }

}  // namespace agon
