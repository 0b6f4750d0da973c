// Everything that a HEL program needs.
#pragma once

#include "hel/annotate.hpp"
#include "hel/batch.hpp"
#include "hel/channel.hpp"
#include "hel/error.hpp"
#include "hel/event.hpp"
#include "hel/expected.hpp"
#include "hel/fail.hpp"
#include "hel/host.hpp"
#include "hel/runtime.hpp"
#include "hel/spawn.hpp"
#include "hel/spawn_after.hpp"
#include "hel/task.hpp"
#include "hel/ticket.hpp"
#include "hel/warp.hpp"
#include "hel/when_all.hpp"
#include "hel/yield.hpp"
