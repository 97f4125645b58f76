// A bot of the second round behind a websocket.
#pragma once

#include <string>
#include <vector>

#include "server.hpp"

#include "board.hpp"
#include "engine.hpp"

class UCIWSServer {
  public:
    UCIWSServer();
    bool run(const std::string& host, int port);

  private:
    WebsocketServer server;
    Board board;
    Engine* engine = nullptr;

    void handle(const std::string& message);
    void new_game(const std::vector<std::string>& words);
    void position(const std::vector<std::string>& words);
    void go(const std::vector<std::string>& words);
};
