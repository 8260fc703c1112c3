#!/usr/bin/env bash
# Checks the page in CI, with the installed Chromium or with that of Debian.
# If neither is available, it reports that the check was not run and exits with 0.
set -euo pipefail
cd "$(dirname "$0")/../.."

skip() {
  echo "browser: not run: $1"
  exit 0
}

has_chromium() { node scripts/browser/chromium.mjs 2>/dev/null; }

if ! has_chromium; then
  [[ -z ${CHROMIUM:-} ]] || skip "there is no Chromium at CHROMIUM=$CHROMIUM"
  [[ $(id -u) == 0 ]] && command -v apt-get >/dev/null || skip 'no Chromium, and no right to install one'
  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium; } >/dev/null 2>&1 ||
    skip 'chromium could not be installed'
  has_chromium || skip 'the chromium that was installed is not where it is looked for'
fi
npm run check:browser -- "$@"
