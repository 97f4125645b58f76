// The server's name in the course.
#pragma once

#include "../common/websocket.hpp"

using agon::WebsocketServer;
