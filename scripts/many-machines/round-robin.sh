#!/usr/bin/env bash
# Runs the tests of endpoints, scenarios and control against two sandboxes on one engine, alternating between the two.
# Without redis-server, it reports that the tests were not run and exits with 0.
set -euo pipefail
cd "$(dirname "$0")/../.."

if ! command -v redis-server >/dev/null; then
  echo 'round robin: not run, for want of redis-server: endpoints, scenarios and control against two sandboxes'
  exit 0
fi
npm run check:round-robin -- "$@"
