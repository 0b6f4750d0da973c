#include "hel/abi/device_launch.hpp"

#include <stdexcept>
#include <string>

namespace hel::abi {
inline namespace v1 {

void device_launch::refuse(const char* name, const char* why) {
  throw std::logic_error("hel::runtime::launch: the task cannot run on a device: " +
                         (!name    ? std::string()
                          : !*name ? std::string("a parameter without a name ")
                                   : "parameter '" + std::string(name) + "' ") +
                         why);
}

}  // namespace v1
}  // namespace hel::abi
