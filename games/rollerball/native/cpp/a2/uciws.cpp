#include "../common/pool.hpp"
#include "../common/program.hpp"

#include <cstdlib>
#include <iostream>

#include "uciws.hpp"

UCIWSServer::UCIWSServer() : server([this](const std::string& message) { handle(message); }), engine(new Engine()) {}

bool UCIWSServer::run(const std::string& host, int port) { return server.run(host, port); }

void UCIWSServer::handle(const std::string& message) {
    std::vector<std::string> words = agon::words_of(message);
    std::string command = words.empty() ? "" : words[0];
    if (command == "uci") server.broadcast("uciok");
    else if (command == "isready") server.broadcast("readyok");
    else if (command == "ucinewgame") new_game();
    else if (command == "position") position(words);
    else if (command == "go") go();
    else if (command == "stop") stop();
    else if (command == "quit") quit();
    else agon::complain("unknown command '" + command.substr(0, 40) + "'");
}

void UCIWSServer::new_game() {
    engine->search = false;
    if (searching.joinable()) searching.join();
    board = Board();
}

// Only the last move is played: the moves before it are on the board already.
void UCIWSServer::position(const std::vector<std::string>& words) {
    if (searching.joinable()) return agon::complain("position: the last search has not been stopped yet");
    if (words.size() > 3) board.do_move(str_to_move(words.back()));
}

void UCIWSServer::go() {
    if (searching.joinable()) return agon::complain("go: the last search has not been stopped yet");
    engine->search = true;
    searching = std::thread([this] {
        agon::search_begins();
        engine->find_best_move(board);
        agon::search_ends();
    });
}

void UCIWSServer::stop() {
    if (!searching.joinable()) return agon::complain("stop: there is no search");
    engine->search = false;
    searching.join();
    U16 best = engine->best_move;
    std::unordered_set<U16> legal = board.get_legal_moves();
    if (legal.count(best) == 0) {
        std::string moves;
        for (U16 other : legal) moves += " " + move_to_str(other);
        agon::complain("best_move " + move_to_str(best) + " is not legal; legal are:" + (moves.empty() ? " none" : moves));
        std::abort();
    }
    board.do_move(best);
    server.broadcast("bestmove " + move_to_str(best));
}

void UCIWSServer::quit() {
    std::cout.flush();
    // What a running search uses must not be destroyed under its feet.
    if (searching.joinable()) std::_Exit(0);
    std::exit(0);
}

int main(int count, char** arguments) {
    agon::Options options = agon::read_options(count, arguments);
    // It lives as long as the process: its threads use it to the end.
    static UCIWSServer* bot = new UCIWSServer();
    return bot->run(options.host, options.port) ? 0 : 1;
}
