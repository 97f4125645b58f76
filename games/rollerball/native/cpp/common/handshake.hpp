// How a websocket begins.
#pragma once

#include <string>

namespace agon {

// The answer to a client's opening request, or an empty text if it asks for no websocket.
std::string handshake_answer(const std::string& request);

}  // namespace agon
