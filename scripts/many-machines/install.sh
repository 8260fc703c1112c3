#!/usr/bin/env bash
# Installs the missing programs that the tests of many machines start, from Debian's packages.
# If a program cannot be installed, it reports that and exits with 0; tests that need the program report a skip.
set -euo pipefail

missing() { for program in redis-server haproxy openssl; do command -v "$program" >/dev/null || echo "$program"; done; }

skip() {
  echo "many machines: not run, for want of $(missing | paste -sd ' '): $1"
  exit 0
}

mapfile -t packages < <(missing)
((${#packages[@]} > 0)) || exit 0
[[ $(id -u) == 0 ]] && command -v apt-get >/dev/null || skip 'no right to install packages'
{ apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${packages[@]}"; } >/dev/null 2>&1 ||
  skip 'they could not be installed'
[[ -z $(missing) ]] || skip 'what was installed is not where it is looked for'
