#!/bin/sh
# Prints the path of nginx. If none is installed, downloads Debian's package into the repository: nothing is
# installed, no service is started, no root is needed. NGINX_BIN names another one.
set -eu
if [ -n "${NGINX_BIN:-}" ]; then echo "$NGINX_BIN"; exit 0; fi
if command -v nginx >/dev/null 2>&1; then command -v nginx; exit 0; fi
if [ -x /usr/sbin/nginx ]; then echo /usr/sbin/nginx; exit 0; fi
folder="$(cd "$(dirname "$0")/../.." && pwd)/.cache/nginx"
if [ ! -x "$folder/usr/sbin/nginx" ]; then
  command -v apt-get >/dev/null 2>&1 || { echo "no nginx, and no apt-get to fetch one: set NGINX_BIN" >&2; exit 1; }
  mkdir -p "$folder"
  cd "$folder"
  apt-get download nginx >/dev/null 2>&1 || { apt-get update >/dev/null 2>&1 && apt-get download nginx >/dev/null; }
  dpkg -x nginx_*.deb .
  rm -f nginx_*.deb
fi
echo "$folder/usr/sbin/nginx"
