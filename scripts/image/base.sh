#!/bin/sh
# Makes the base image of the Dockerfile from Debian packages and imports it into Docker, for machines that cannot pull it.
# Usage: scripts/image/base.sh [NAME]
set -eu
name=${1:-debian:bookworm-slim}
mmdebstrap --variant=minbase --include=ca-certificates --quiet \
  --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
  --dpkgopt='path-exclude=/usr/share/locale/*' --aptopt='APT::Install-Recommends "false"' \
  --customize-hook='rm -rf "$1"/var/lib/apt/lists/* "$1"/var/cache/apt/*' bookworm - |
  docker import --change 'CMD ["bash"]' - "$name"
