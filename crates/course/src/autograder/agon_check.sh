#!/usr/bin/env bash
# Checks what a student handed in: a single archive as it is, anything else as a folder. The exit code is that of `agon check`.
[ -r vpl_environment.sh ] && . ./vpl_environment.sh
rm -rf agon_submission
mkdir agon_submission
count=0
while :; do
  name="VPL_SUBFILE$count"
  [ -n "${!name-}" ] || break
  mkdir -p "agon_submission/$(dirname "${!name}")"
  cp -- "${!name}" "agon_submission/${!name}"
  count=$((count + 1))
done
submission=agon_submission
if [ "$count" = 1 ]; then
  case "$VPL_SUBFILE0" in *.zip | *.tar.gz | *.tgz) submission="agon_submission/$VPL_SUBFILE0" ;; esac
fi
./agon check "$submission" --course course.toml 2>&1
