# Kernels that resume the tasks of one case each, and one that resumes those of all through the file's own switch.
# Reads the lowered file; every case is a namespace case_NAME.
/^namespace case_[A-Za-z0-9_]* \{$/ { name = $2 }
/device_define<hel_unit, / {
  text = $0
  sub(/.*device_define<hel_unit, /, "", text)
  sub(/, hel_ops>.*/, "", text)
  gsub(/static_cast<[^>]*>\([0-9]*\)/, "", text)
  count = split(text, part, /[?:]/)
  for (i = 1; i <= count; ++i) {
    gsub(/[() ]/, "", part[i])
    if (part[i] ~ /^[0-9]+$/ && !(part[i] in of)) { of[part[i]] = name; numbers[name] = numbers[name] " " part[i] }
  }
}
match($0, /void\* resume_[A-Za-z0-9_]*/) { all = substr($0, RSTART + 6, RLENGTH - 6) }
END {
  print "#if defined(__CUDACC__)"
  print "__global__ void probe_all(void* frame) { while (frame) frame = hel::abi::device::" all "(frame); }"
  for (name in numbers) {
    print "__global__ void probe_" name "(void* frame) {\n  while (frame) switch (static_cast<hel::abi::device_frame_header*>(frame)->type) {"
    count = split(numbers[name], list, " ")
    for (i = 1; i <= count; ++i) print "  case " list[i] ": frame = device_resume(hel::abi::device_type<hel_unit, " list[i] ">{}, frame); break;"
    print "  default: return;\n  }\n}"
  }
  print "#endif"
}
