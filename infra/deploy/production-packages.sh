#!/bin/sh
# Installs the production packages of one workspace in the current directory and removes files no server reads.
# Usage: production-packages.sh @forecourt/shell
set -eu
rm -rf node_modules ./*/node_modules infra/*/node_modules infra/*/*/node_modules
npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund --workspace="$1"
# Tests, types, maps, sources of native addons, docs.
find . -type f \( -name '*.test.ts' -o -name '*.test.tsx' \) -not -path './node_modules/*' -delete
find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.cts' -o -name '*.d.mts' -o -name '*.md' -o -name '*.flow' \) -delete
rm -rf node_modules/better-sqlite3/deps node_modules/better-sqlite3/src node_modules/.bin node_modules/.cache
# Dangling links to other workspaces.
find node_modules/@forecourt -type l ! -exec test -e {} \; -delete
