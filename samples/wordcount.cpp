// wordcount FILE...: the ten most frequent words of the files, as `tr -cs '[:alnum:]' '\n' | grep . | sort | uniq -c |
// sort -k1,1nr -k2 | head` prints them in the C locale. Chunks are read through host-RPC and counted in parallel.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <deque>
#include <iostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "hel/hel.hpp"

struct text_hash : std::hash<std::string_view> {
  using is_transparent = void;
};
struct word_table : std::unordered_map<std::string, long, text_hash, std::equal_to<>> {
  void add(std::string_view word, long n) {
    if (word.empty()) return;
    auto at = find(word);
    if (at == end()) at = emplace(word, 0).first;
    at->second += n;
  }
};

bool is_word(unsigned char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

// A word may be cut by the chunk's edges: `head` and `tail` are what stands there. Without any separator all is head.
struct chunk_words {
  word_table inside;
  std::string head, tail;
  bool separated = false;
};

// These two run on host threads, where they may block.
int open_file(const std::string& path) {
  int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) throw hel::failure(hel::error(errno));
  return file;
}
std::string read_chunk(int file) {
  constexpr std::size_t size = 1 << 20;
  std::string text(size, '\0');
  std::size_t filled = 0;
  while (filled < size) {
    ssize_t n = read(file, text.data() + filled, size - filled);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw hel::failure(hel::error(errno));
    if (n == 0) break;
    filled += static_cast<std::size_t>(n);
  }
  text.resize(filled);
  return text;
}

HEL_HOST_TASK hel::task<chunk_words> count_words(std::string text) {
  chunk_words words;
  std::size_t start = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_word(static_cast<unsigned char>(text[i]))) continue;
    std::string_view word(text.data() + start, i - start);
    if (words.separated)
      words.inside.add(word, 1);
    else
      words.head = word;
    words.separated = true;
    start = i + 1;
  }
  (words.separated ? words.tail : words.head) = text.substr(start);
  co_return words;
}

HEL_HOST_TASK hel::task<void> count_file(int file, word_table& total) {
  std::deque<hel::join_handle<chunk_words>> counting;
  std::string cut;  // the word in which the last chunk broke off
  bool end = false;
  while (!end) {
    std::string text = co_await hel::host(read_chunk, file);
    end = text.empty();
    if (!end) counting.push_back(hel::spawn(count_words, std::move(text)));
    while (counting.size() > (end ? 0 : 16)) {  // 16 chunks in flight bound the memory; merged in file order
      chunk_words words = co_await counting.front();
      counting.pop_front();
      cut += words.head;
      if (!words.separated) continue;
      total.add(cut, 1);
      cut = words.tail;
      for (auto& entry : words.inside) total.add(entry.first, entry.second);
    }
  }
  total.add(cut, 1);
}

HEL_HOST_TASK hel::task<word_table> count_files(std::vector<std::string> paths) {
  word_table total;
  for (std::string& path : paths) {
    auto file = co_await hel::as_expected(hel::host(open_file, path));
    if (!file) throw std::runtime_error(path + ": " + std::strerror(file.error().code));
    auto done = co_await hel::as_expected(count_file(*file, total));
    close(*file);
    if (!done) throw std::runtime_error(path + ": " + std::strerror(done.error().code));
  }
  co_return total;
}

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: wordcount FILE...\n";
    return 2;
  }
  try {
    hel::runtime rt;
    word_table total = rt.launch(count_files, std::vector<std::string>(argv + 1, argv + argc)).get();
    std::vector<std::pair<std::string, long>> words(total.begin(), total.end());
    auto top = words.begin() + std::min<std::ptrdiff_t>(10, std::ssize(words));
    std::partial_sort(words.begin(), top, words.end(),
                      [](auto& a, auto& b) { return a.second != b.second ? a.second > b.second : a.first < b.first; });
    for (auto word = words.begin(); word != top; ++word) std::printf("%7ld %s\n", word->second, word->first.c_str());
  } catch (const std::exception& e) {
    std::cerr << "wordcount: " << e.what() << '\n';
    return 1;
  }
}
