#include "websocket.hpp"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <iostream>
#include <vector>

#include "handshake.hpp"

namespace agon {

namespace {

// Nobody has reason to send more.
constexpr std::size_t LONGEST_REQUEST = 16 << 10, LONGEST_MESSAGE = 1 << 20;
constexpr std::size_t MOST_CONNECTIONS = 64;
// Who does not read for so long is given up.
constexpr int SECONDS_TO_READ = 2;

enum Opcode { CONTINUATION = 0, TEXT = 1, BINARY = 2, CLOSE = 8, PING = 9, PONG = 10 };

struct Frame {
    bool last;
    int opcode;
    std::string payload;
};

enum class Found { frame, part, nonsense };

bool send_all(int socket, const std::string& bytes) {
    for (std::size_t sent = 0; sent < bytes.size();) {
        ssize_t count = ::send(socket, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        sent += static_cast<std::size_t>(count);
    }
    return true;
}

std::string frame_bytes(int opcode, const std::string& payload) {
    std::string bytes(1, static_cast<char>(0x80 | opcode));
    if (payload.size() < 126) {
        bytes += static_cast<char>(payload.size());
    } else {
        bool wide = payload.size() > 0xffff;
        bytes += static_cast<char>(wide ? 127 : 126);
        for (int shift = wide ? 56 : 8; shift >= 0; shift -= 8) {
            bytes += static_cast<char>(std::uint64_t(payload.size()) >> shift);
        }
    }
    return bytes + payload;
}

// Takes the first frame from the bytes that came. What no client may send is nonsense.
Found next_frame(std::string& unread, Frame& frame) {
    if (unread.size() < 2) return Found::part;
    auto byte = [&](std::size_t at) { return static_cast<std::uint8_t>(unread[at]); };
    frame.last = byte(0) & 0x80;
    frame.opcode = byte(0) & 0x0f;
    bool reserved = byte(0) & 0x70, masked = byte(1) & 0x80, control = frame.opcode >= CLOSE;
    std::uint64_t length = byte(1) & 0x7f;
    std::size_t extra = length == 126 ? 2 : length == 127 ? 8 : 0, header = 2 + extra + 4;
    if (reserved || !masked || (control && (length > 125 || !frame.last))) return Found::nonsense;
    if (unread.size() < header) return Found::part;
    if (extra > 0) length = 0;
    for (std::size_t i = 0; i < extra; ++i) length = length << 8 | byte(2 + i);
    if (length > LONGEST_MESSAGE) return Found::nonsense;
    std::size_t size = header + static_cast<std::size_t>(length);
    if (unread.size() < size) return Found::part;
    frame.payload = unread.substr(header, size - header);
    for (std::size_t i = 0; i < frame.payload.size(); ++i) frame.payload[i] ^= unread[header - 4 + i % 4];
    unread.erase(0, size);
    return Found::frame;
}

// A socket that listens, or -1.
int listening(const std::string& host, int port) {
    addrinfo wanted{}, *found = nullptr;
    wanted.ai_family = AF_INET;
    wanted.ai_socktype = SOCK_STREAM;
    wanted.ai_flags = AI_PASSIVE;
    if (::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &wanted, &found) != 0 || !found) return -1;
    int socket = ::socket(found->ai_family, found->ai_socktype, 0);
    int on = 1;
    if (socket >= 0) ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    bool listens = socket >= 0 && ::bind(socket, found->ai_addr, found->ai_addrlen) == 0 && ::listen(socket, 16) == 0;
    ::freeaddrinfo(found);
    if (!listens && socket >= 0) ::close(socket);
    return listens ? socket : -1;
}

int port_of(int socket) {
    sockaddr_in address{};
    socklen_t size = sizeof address;
    ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size);
    return ntohs(address.sin_port);
}

}  // namespace

bool WebsocketServer::run(const std::string& host, int port) {
    std::signal(SIGPIPE, SIG_IGN);
    int listener = listening(host, port);
    if (listener < 0) {
        std::cerr << "cannot listen on " << host << ":" << port << ": " << std::strerror(errno) << std::endl;
        return false;
    }
    std::cout << "listening on " << host << ":" << port_of(listener) << std::endl;
    for (;;) {
        std::vector<pollfd> polled{{listener, POLLIN, 0}};
        for (const Connection& connection : connections_) polled.push_back({connection.socket, POLLIN, 0});
        if (::poll(polled.data(), polled.size(), -1) < 0) continue;
        auto watched = polled.begin() + 1;
        for (Connection& connection : connections_) {
            if ((watched++)->revents != 0 && !connection.gone) listen_to(connection);
        }
        connections_.remove_if([](const Connection& connection) {
            if (connection.gone) ::close(connection.socket);
            return connection.gone;
        });
        if (polled[0].revents != 0) welcome(listener);
    }
}

void WebsocketServer::welcome(int listener) {
    int socket = ::accept(listener, nullptr, nullptr);
    if (socket < 0) return;
    if (connections_.size() >= MOST_CONNECTIONS) {
        ::close(socket);
        return;
    }
    int on = 1;
    timeval limit{SECONDS_TO_READ, 0};
    ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    ::setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    connections_.emplace_back();
    connections_.back().socket = socket;
}

void WebsocketServer::listen_to(Connection& connection) {
    char block[4096];
    ssize_t count = ::recv(connection.socket, block, sizeof block, MSG_DONTWAIT);
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (count <= 0) {
        connection.gone = true;
        return;
    }
    connection.unread.append(block, static_cast<std::size_t>(count));
    if (!connection.open) shake_hands(connection);
    while (connection.open && !connection.gone) {
        Frame frame;
        Found found = next_frame(connection.unread, frame);
        if (found == Found::part) return;
        if (found == Found::nonsense) connection.gone = true;
        else take(connection, frame.last, frame.opcode, frame.payload);
    }
}

void WebsocketServer::shake_hands(Connection& connection) {
    std::size_t end = connection.unread.find("\r\n\r\n");
    if (end == std::string::npos) {
        connection.gone = connection.unread.size() > LONGEST_REQUEST;
        return;
    }
    std::string answer = handshake_answer(connection.unread.substr(0, end + 4));
    connection.unread.erase(0, end + 4);
    connection.open = !answer.empty();
    if (!connection.open) answer = "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    connection.gone = !send_all(connection.socket, answer) || !connection.open;
}

void WebsocketServer::take(Connection& connection, bool last, int opcode, const std::string& payload) {
    if (opcode >= CLOSE) {
        bool sent = opcode == PONG || send_all(connection.socket, frame_bytes(opcode == PING ? PONG : CLOSE, payload));
        connection.gone = !sent || opcode == CLOSE;
        return;
    }
    bool continues = opcode == CONTINUATION;
    if (continues != connection.begun || opcode > BINARY || connection.message.size() + payload.size() > LONGEST_MESSAGE) {
        connection.gone = true;
        return;
    }
    connection.message += payload;
    connection.begun = !last;
    if (connection.begun) return;
    std::string whole;
    whole.swap(connection.message);
    handler_(whole);
}

void WebsocketServer::broadcast(const std::string& text) {
    std::string bytes = frame_bytes(TEXT, text);
    for (Connection& connection : connections_) {
        if (connection.open && !connection.gone && !send_all(connection.socket, bytes)) connection.gone = true;
    }
}

}  // namespace agon
