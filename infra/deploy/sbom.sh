#!/bin/sh
# Prints a bill of materials (CycloneDX 1.5) from the lockfile: what the named workspaces install for production, or
# everything without a name.
# Usage: sbom.sh [WORKSPACE…]
set -eu
workspaces=
for name; do workspaces="$workspaces --workspace=$name"; done
exec npm sbom --sbom-format=cyclonedx --package-lock-only ${workspaces:+--omit=dev --omit=optional} $workspaces
