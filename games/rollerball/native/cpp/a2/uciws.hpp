// A bot of the first round behind a websocket.
#pragma once

#include <string>
#include <thread>
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
    // Never destroyed: a search may still be running when the process ends.
    Engine* engine;
    std::thread searching;

    void handle(const std::string& message);
    void new_game();
    void position(const std::vector<std::string>& words);
    void go();
    void stop();
    void quit();
};
