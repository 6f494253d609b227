#!/bin/sh
# Follows the Dockerfile's steps in a temporary directory without a container engine and starts each image's
# files with Node 24 only. Needs `shell/dist` (npm run build). Prints sizes.
# Usage: infra/deploy/simulate-images.sh [shell] [registry] [api] [identity]
set -eu
repository="$(cd "$(dirname "$0")/../.." && pwd)"
export PATH="$repository/node_modules/.bin:$PATH"
work="$(mktemp -d)"
pid=
end() { [ -z "$pid" ] || kill "$pid" 2>/dev/null || true; rm -rf "$work"; }
trap end EXIT INT TERM
secret=simulated-secret-of-more-than-32-characters
# Memory-saving NODE_OPTIONS from the Dockerfile.
lean="$(sed -n 's/^ENV \(NODE_OPTIONS=.*\)/\1/p' "$repository/infra/deploy/Dockerfile")"

# $1 target, $2 workspaces, $3 its folder, $4 the command's script, $5 the port's key; the rest: environment
simulate() {
  target=$1 workspace=$2 folder=$3 script=$4 key=$5
  shift 5
  context="$work/context" image="$work/$target" port=$((20000 + $$ % 10000))
  rm -rf "$context" && mkdir -p "$context" "$image" "$work/data"
  # The committed files are the build context; the image gets what the Dockerfile copies.
  (cd "$repository" && git archive HEAD) | tar xf - -C "$context"
  cp "$repository"/infra/deploy/* "$context/infra/deploy/" 2>/dev/null || true
  if [ "$target" = shell ]; then cp -r "$repository/shell/dist" "$context/shell/dist"; fi
  if [ "$target" = registry ]; then cp -r "$repository/infra/services/remote-registry/dist" "$context/infra/services/remote-registry/dist"; fi
  (cd "$context" && sh infra/deploy/production-packages.sh $workspace >"$work/npm.log" 2>&1) || { cat "$work/npm.log"; exit 1; }
  mkdir -p "$image/$(dirname "$folder")" "$image/infra/deploy/src"
  cp -a "$context/node_modules" "$context/shared-contracts" "$image/"
  cp "$context/infra/deploy/healthcheck.mjs" "$image/infra/deploy/"
  cp "$context/infra/deploy/src/backup.ts" "$image/infra/deploy/src/"
  if [ "$target" = shell ]; then rm -rf "$context/shell/src"; fi
  cp -a "$context/$folder" "$image/$folder"
  case $target in
    api | identity | registry) cp -a "$context/infra/service-kit" "$image/infra/service-kit" ;;
  esac
  if [ "$target" = registry ]; then cp -a "$context/infra/release-kit" "$image/infra/release-kit"; fi
  if [ "$target" = api ]; then cp -a "$context/infra/demo-data" "$image/infra/demo-data"; fi
  run() { cd "$image" && exec env -i PATH="$PATH" NODE_ENV=production $lean HOST=127.0.0.1 DATA_DIR="$work/data" LOCAL_MODE=false LOG_LEVEL=error "$key=$port" HEALTH_PORT="$port" "$@"; }
  if [ "$target" = api ]; then (run INVENTORY_SIZE=1000 node infra/services/marketplace-api/src/seed.ts) >/dev/null; fi
  run "$@" node "$script" &
  pid=$!
  tries=0
  until (run node infra/deploy/healthcheck.mjs) || { [ "$target" = shell ] && curl -fs "http://127.0.0.1:$port/health/live" >/dev/null; }; do
    tries=$((tries + 1))
    if [ "$tries" -gt 120 ] || ! kill -0 "$pid" 2>/dev/null; then echo "$target did not become ready" >&2; exit 1; fi
    sleep 0.5
  done
  kill "$pid" && wait "$pid" 2>/dev/null || true
  pid=
  echo "$target: starts and is healthy; $(du -sm "$image" | cut -f1) MB without Node, including $(du -sm "$image/node_modules" | cut -f1) MB packages"
}

for target in ${*:-shell registry api identity}; do
  case $target in
    # Without upstream and registry it is live but not ready.
    shell) simulate shell @forecourt/shell shell shell/dist/server/server.cjs PORT "SESSION_SECRET=$secret" RELEASE_ISOLATION=strictest ;;
    registry) simulate registry @forecourt/remote-registry infra/services/remote-registry infra/services/remote-registry/src/server.ts REGISTRY_PORT "REGISTRY_TOKEN=$secret" ;;
    api) simulate api "@forecourt/marketplace-api @forecourt/demo-data" infra/services/marketplace-api infra/services/marketplace-api/src/server.ts MARKETPLACE_API_PORT INVENTORY_SIZE=1000 ;;
    identity) simulate identity @forecourt/identity infra/services/identity infra/services/identity/src/server.ts IDENTITY_PORT "OIDC_CLIENTS={\"shell\":{\"secret\":\"$secret\"}}" OIDC_ISSUER=https://accounts.example.com SMTP_URL=smtp://127.0.0.1:25 ;;
    *) echo "no image '$target'" >&2; exit 1 ;;
  esac
done
