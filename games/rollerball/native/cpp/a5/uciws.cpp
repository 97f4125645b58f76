#include "../common/generator.hpp"
#include "../common/pool.hpp"
#include "../common/program.hpp"

#include <cstdlib>

#include "uciws.hpp"

#include "butils.hpp"

UCIWSServer::UCIWSServer() : server([this](const std::string& message) { handle(message); }) {}

bool UCIWSServer::run(const std::string& host, int port) { return server.run(host, port); }

void UCIWSServer::handle(const std::string& message) {
    std::vector<std::string> words = agon::words_of(message);
    std::string command = words.empty() ? "" : words[0];
    if (command == "uci") server.broadcast("uciok");
    else if (command == "ucinewgame") new_game(words);
    else if (command == "position") position(words);
    else if (command == "go") go(words);
    else if (command != "quit") agon::complain("unknown command '" + command.substr(0, 40) + "'");
    // After `quit` another game may follow.
}

void UCIWSServer::new_game(const std::vector<std::string>& words) {
    std::string name = words.size() > 2 ? words[1] : "";
    BoardType type;
    if (name == "board-7-3") type = SEVEN_THREE;
    else if (name == "board-8-4") type = EIGHT_FOUR;
    else if (name == "board-8-2") type = EIGHT_TWO;
    else return agon::complain("expected 'ucinewgame board-7-3 SECONDS', or board-8-4, or board-8-2");
    // The course's programs read two words. A third one names the rule set: by that of the original servers, bishops on corners of the small
    // board do not bounce.
    agon::corner_bishops_bounce = words.size() < 4 || words[3] != "server";
    delete engine;
    engine = new Engine();
    engine->best_move = 0;
    engine->time_left = std::chrono::seconds(std::strtoll(words[2].c_str(), nullptr, 10));
    board = Board(type);
    server.broadcast("newgameok");
}

// Only the last move is played: the moves before it are on the board already.
void UCIWSServer::position(const std::vector<std::string>& words) {
    if (words.size() > 3) board.do_move_(str_to_move(words.back()));
}

void UCIWSServer::go(const std::vector<std::string>& words) {
    if (!engine || words.size() < 2) return agon::complain("expected 'ucinewgame BOARD SECONDS', then 'go MILLISECONDS'");
    engine->time_left = std::chrono::milliseconds(std::strtoll(words[1].c_str(), nullptr, 10));
    agon::search_begins();
    engine->find_best_move(board);
    agon::search_ends();
    server.broadcast("bestmove " + move_to_str(engine->best_move));
    board.do_move_(engine->best_move);
}

int main(int count, char** arguments) {
    agon::Options options = agon::read_options(count, arguments);
    // It lives as long as the process: its threads use it to the end.
    static UCIWSServer* bot = new UCIWSServer();
    return bot->run(options.host, options.port) ? 0 : 1;
}
