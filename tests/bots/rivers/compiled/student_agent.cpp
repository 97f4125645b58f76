// Turns one stone over and over; looks the board up as the course's sample got it: a map of strings for each cell.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <map>
#include <string>
#include <vector>

using Cell = std::map<std::string, std::string>;
using Board = std::vector<std::vector<Cell>>;

struct Move {
    std::string action;
    std::vector<int> from_pos, to_pos, pushed_to;
    std::string orientation;
};

class StudentAgent {
    std::string side;

public:
    explicit StudentAgent(std::string side) : side(std::move(side)) {}

    Move choose(const Board& board, int rows, int, const std::vector<int>&, float, float) {
        int row = side == "circle" ? rows - 4 : 3;
        const Cell& cell = board.at(row).at(3);
        bool is_stone = cell.at("side") == "stone";
        return {"flip", {3, row}, {3, row}, {}, is_stone ? "vertical" : ""};
    }
};

PYBIND11_MODULE(student_agent_module, module) {
    pybind11::class_<Move>(module, "Move")
        .def_readonly("action", &Move::action)
        .def_readonly("from_pos", &Move::from_pos)
        .def_readonly("to_pos", &Move::to_pos)
        .def_readonly("pushed_to", &Move::pushed_to)
        .def_readonly("orientation", &Move::orientation);
    pybind11::class_<StudentAgent>(module, "StudentAgent")
        .def(pybind11::init<std::string>())
        .def("choose", &StudentAgent::choose);
}
