#!/bin/sh
# Makes bases for the Dockerfile on a Debian machine that cannot pull them, and prints the options of `docker build`:
# Debian from its packages, and on it Node.js and npm of this machine, npm's cache, and the programs on PATH.
set -eu
modules=$(cd "$(dirname "$0")/../../node_modules" && pwd)
debian=slipway-base:debian
tools=slipway-base:tools

if [ -z "$(docker image ls --quiet $debian)" ]; then
  mmdebstrap --variant=minbase --quiet --aptopt='APT::Install-Recommends "false"' \
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
    --dpkgopt='path-exclude=/usr/share/locale/*' \
    --customize-hook='rm -rf "$1"/var/lib/apt/lists/* "$1"/var/cache/apt/*' bookworm - |
    docker import --change 'CMD ["bash"]' - $debian >&2
fi

files=$(mktemp -d)
trap 'rm -rf "$files"' EXIT
mkdir -p "$files/programs" "$files/npm/_cacache" "$files/usr/local/bin"
cp "$modules"/node-linux-*/bin/node "$files/usr/local/bin/"
npm=$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")
cp -r "$npm" "$files/usr/local/npm"
ln -s ../npm/bin/npm-cli.js "$files/usr/local/bin/npm"
cache=$(npm config get cache)/_cacache
cp -r "$cache/content-v2" "$cache/index-v5" "$files/npm/_cacache/"
for program in kind helm kubectl docker; do cp -L "$(command -v $program)" "$files/programs/"; done
docker build --quiet --tag=$tools --file=- "$files" >&2 <<END
FROM $debian
COPY . /
ENV npm_config_cache=/npm npm_config_offline=true
END
echo "--network=none --build-arg=BASE=$debian --build-arg=NODE_BASE=$tools --build-arg=PROGRAMS_BASE=$tools"
