#!/bin/sh
# Installs the Debian packages that the tests need: the peers they run against. Needs no node_modules.
# With arguments, only those of these commands: `npm run bench:setup` names the ones that the bench needs.
# Does nothing when all are there; without apt it names what is missing and exits 1.
set -eu

# One line a package: the command that shows it is there, and the package that brings it.
NEEDED='
mosquitto mosquitto
mosquitto_pub mosquitto-clients
tmux tmux
curl curl
openssl openssl
zsh zsh
fish fish
shellcheck shellcheck
i3blocks i3blocks
systemd-analyze systemd
'

wanted=" $* "
name=${npm_lifecycle_event:-test:setup}

# Debian keeps daemons where an ordinary user's PATH does not look.
PATH="$PATH:/usr/sbin:/usr/local/sbin"

missing=$(printf '%s' "$NEEDED" | while read -r command package; do
  if [ -n "$command" ] && [ "$wanted" != '  ' ] && [ "${wanted#* "$command" }" = "$wanted" ]; then continue; fi
  if [ -n "$command" ] && ! command -v "$command" >/dev/null 2>&1; then printf ' %s' "$package"; fi
done)
if [ -z "$missing" ]; then exit 0; fi

if ! command -v apt-get >/dev/null 2>&1; then
  echo "$name: missing, by their Debian names:$missing" >&2
  echo "$name: apt-get is not here; install them with this system's own package manager, then try again" >&2
  exit 1
fi

if [ "$(id -u)" -eq 0 ]; then as_root=''
elif command -v sudo >/dev/null 2>&1; then as_root='sudo'
else
  echo "$name: missing:$missing; run this as root, or install sudo" >&2
  exit 1
fi

echo "$name: installing$missing"
$as_root apt-get update -q
# shellcheck disable=SC2086 # a list of words on purpose
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $missing

# Debian starts a broker on 1883 with the package, which is the port that Signalbox itself listens on.
case "$missing " in
  *' mosquitto '*)
    if [ -d /run/systemd/system ]; then $as_root systemctl disable --now mosquitto.service; fi
    ;;
esac
