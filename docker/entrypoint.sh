#!/bin/sh
# What the image runs. Started as root, sycllint becomes the owner of the working directory, without capabilities, so
# that `--fix` and the cache may write there and what they write belongs to who owns the rest. With `docker run --user`
# it stays that user.
set -eu
if [ "$(id -u)" -ne 0 ]; then
  exec sycllint "$@"
fi
export HOME=/tmp
exec setpriv --reuid "$(stat -c %u .)" --regid "$(stat -c %g .)" --clear-groups --inh-caps=-all --bounding-set=-all \
  --no-new-privs -- sycllint "$@"
