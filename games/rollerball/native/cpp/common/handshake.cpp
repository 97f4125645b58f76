#include "handshake.hpp"

#include <array>
#include <cctype>
#include <cstdint>

namespace agon {

namespace {

using Digest = std::array<std::uint8_t, 20>;

std::uint32_t rotated(std::uint32_t word, int bits) { return word << bits | word >> (32 - bits); }

void sha1_block(const std::uint8_t* block, std::array<std::uint32_t, 5>& state) {
    std::uint32_t words[80];
    for (int i = 0; i < 16; ++i) {
        words[i] = std::uint32_t(block[4 * i]) << 24 | std::uint32_t(block[4 * i + 1]) << 16 |
                   std::uint32_t(block[4 * i + 2]) << 8 | block[4 * i + 3];
    }
    for (int i = 16; i < 80; ++i) words[i] = rotated(words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16], 1);
    auto [a, b, c, d, e] = state;
    for (int i = 0; i < 80; ++i) {
        std::uint32_t mixed, constant;
        if (i < 20) {
            mixed = (b & c) | (~b & d), constant = 0x5a827999;
        } else if (i < 40) {
            mixed = b ^ c ^ d, constant = 0x6ed9eba1;
        } else if (i < 60) {
            mixed = (b & c) | (b & d) | (c & d), constant = 0x8f1bbcdc;
        } else {
            mixed = b ^ c ^ d, constant = 0xca62c1d6;
        }
        std::uint32_t next = rotated(a, 5) + mixed + e + constant + words[i];
        e = d, d = c, c = rotated(b, 30), b = a, a = next;
    }
    state[0] += a, state[1] += b, state[2] += c, state[3] += d, state[4] += e;
}

Digest sha1(std::string text) {
    std::array<std::uint32_t, 5> state{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    std::uint64_t bits = std::uint64_t(text.size()) * 8;
    text += '\x80';
    while (text.size() % 64 != 56) text += '\0';
    for (int shift = 56; shift >= 0; shift -= 8) text += static_cast<char>(bits >> shift);
    for (std::size_t at = 0; at < text.size(); at += 64) {
        sha1_block(reinterpret_cast<const std::uint8_t*>(text.data()) + at, state);
    }
    Digest digest;
    for (int i = 0; i < 20; ++i) digest[i] = static_cast<std::uint8_t>(state[i / 4] >> (24 - 8 * (i % 4)));
    return digest;
}

std::string base64(const Digest& bytes) {
    const char* letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        std::uint32_t group = 0;
        std::size_t here = bytes.size() - at < 3 ? bytes.size() - at : 3;
        for (std::size_t i = 0; i < 3; ++i) group = group << 8 | (i < here ? bytes[at + i] : 0);
        for (std::size_t i = 0; i < 4; ++i) text += i <= here ? letters[group >> (18 - 6 * i) & 63] : '=';
    }
    return text;
}

bool same_name(const std::string& text, const std::string& name) {
    if (text.size() != name.size()) return false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (std::tolower(static_cast<unsigned char>(text[i])) != name[i]) return false;
    }
    return true;
}

// The value of a header line, without the blanks around it.
std::string header(const std::string& request, const std::string& name) {
    for (std::size_t line = request.find("\r\n"); line != std::string::npos; line = request.find("\r\n", line + 2)) {
        std::size_t begin = line + 2, end = request.find("\r\n", begin), colon = request.find(':', begin);
        if (end == std::string::npos || colon == std::string::npos || colon > end) continue;
        if (!same_name(request.substr(begin, colon - begin), name)) continue;
        std::size_t first = request.find_first_not_of(" \t", colon + 1), last = request.find_last_not_of(" \t", end - 1);
        return first < end && last >= first ? request.substr(first, last - first + 1) : "";
    }
    return "";
}

}  // namespace

std::string handshake_answer(const std::string& request) {
    std::string key = header(request, "sec-websocket-key");
    if (request.compare(0, 4, "GET ") != 0 || key.empty() || !same_name(header(request, "upgrade"), "websocket")) return "";
    // The constant is that of RFC 6455, section 1.3.
    std::string accept = base64(sha1(key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"));
    return "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: " + accept +
           "\r\n\r\n";
}

}  // namespace agon
