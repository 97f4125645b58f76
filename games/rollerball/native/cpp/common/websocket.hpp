// A small websocket server: text messages in, text messages out to everybody. It has no thread of its own, so that a bot's threads are
// those of its engine.
#pragma once

#include <functional>
#include <list>
#include <string>

namespace agon {

class WebsocketServer {
  public:
    // Called with one message at a time, whichever connection it came from. Nothing else happens while it runs.
    using Handler = std::function<void(const std::string&)>;

    explicit WebsocketServer(const Handler& handler) : handler_(handler) {}

    // Serves until the process ends. False if it cannot listen; stderr then says why.
    bool run(const std::string& host, int port);

    // Sends a text to every open connection.
    void broadcast(const std::string& text);

  private:
    struct Connection {
        int socket;
        bool open = false;      // hands were shaken
        bool gone = false;      // of no more use
        bool begun = false;     // in the middle of a message
        std::string unread;     // bytes that are no whole frame yet
        std::string message;    // what has come of a message
    };

    Handler handler_;
    std::list<Connection> connections_;

    void welcome(int listener);
    void listen_to(Connection& connection);
    void shake_hands(Connection& connection);
    void take(Connection& connection, bool last, int opcode, const std::string& payload);
};

}  // namespace agon
