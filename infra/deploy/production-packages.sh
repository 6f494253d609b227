#!/bin/sh
# Installs what the named workspaces need at run time, in the current folder, and removes files that no server reads.
# Usage: production-packages.sh WORKSPACE…
set -eu
workspaces=
for name; do workspaces="$workspaces --workspace=$name"; done
rm -rf node_modules ./*/node_modules infra/*/node_modules infra/*/*/node_modules
npm ci --omit=dev --omit=optional --omit=peer --ignore-scripts --no-audit --no-fund $workspaces
# Stays in the image, for scanners.
node infra/deploy/sbom.mjs >node_modules/sbom.cdx.json
# Tests, types, maps, sources of native addons, docs.
find . -type f \( -name '*.test.ts' -o -name '*.test.tsx' \) -not -path './node_modules/*' -delete
find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.cts' -o -name '*.d.mts' -o -name '*.md' -o -name '*.flow' \) -delete
rm -rf node_modules/better-sqlite3/deps node_modules/better-sqlite3/src node_modules/.bin node_modules/.cache
# Links to workspaces that this image does not hold.
find node_modules/@forecourt -type l ! -exec test -e {} \; -delete
