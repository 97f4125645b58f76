// Writes through a null pointer when it is asked for a turn.
#include <iostream>
#include <string>

int main() {
    volatile int *table = nullptr;
    for (std::string line; std::getline(std::cin, line);) {
        if (line == "ugi") std::cout << "ugiok" << std::endl;
        if (line == "isready") std::cout << "readyok" << std::endl;
        if (line.rfind("go", 0) == 0) {
            std::cerr << "looking into the table" << std::endl;
            *table = 1;
        }
    }
}
