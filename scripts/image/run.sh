#!/usr/bin/env bash
# Checks the image in CI, with the installed docker or podman, or with podman from Debian's packages.
# If none is available, it reports that nothing was checked and exits with 0.
set -euo pipefail
cd "$(dirname "$0")/../.."

skip() {
  echo "image: SKIPPED, nothing of the image was checked: $1"
  exit 0
}

has_engine() { docker info >/dev/null 2>&1 || CONTAINERS_CONF=$PWD/scripts/image/containers.conf podman info >/dev/null 2>&1; }

if ! has_engine; then
  [[ $(id -u) == 0 ]] && command -v apt-get >/dev/null || skip 'no docker or podman, and no right to install one'
  packages=(podman podman-compose buildah runc catatonit iptables golang-github-containernetworking-plugin-dnsname busybox-static)
  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${packages[@]}"; } >/dev/null 2>&1 ||
    skip 'podman could not be installed'
  has_engine || skip 'the podman that was installed does not run here'
fi
node scripts/image/check.mjs
