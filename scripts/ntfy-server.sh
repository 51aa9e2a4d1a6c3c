#!/bin/sh
# Puts the real ntfy server where the tests find it: the system's own when that is 2.16 or newer (the first that can clear a message), else the package of a
# newer Debian suite, downloaded through the machine's own apt source and unpacked, not installed, below the user's cache folder.
# Prints the path of the program. With --find it only looks.
set -eu

SUITE=forky
name=${npm_lifecycle_event:-ntfy-server}
cache=${XDG_CACHE_HOME:-$HOME/.cache}/signalbox-tests/ntfy

# Whether a program is an ntfy that clears messages.
is_new() {
  version=$("$1" --help 2>/dev/null | sed -n 's/^ntfy \([0-9][0-9]*\)\.\([0-9][0-9]*\)\..*/\1 \2/p' | head -n 1)
  [ -n "$version" ] || return 1
  [ "${version% *}" -gt 2 ] || { [ "${version% *}" -eq 2 ] && [ "${version#* }" -ge 16 ]; }
}

for found in "$(command -v ntfy || true)" "$cache/usr/bin/ntfy"; do
  if [ -n "$found" ] && [ -x "$found" ] && is_new "$found"; then
    echo "$found"
    exit 0
  fi
done
if [ "${1:-}" = --find ]; then
  echo "$name: no ntfy server of 2.16 or newer; run: npm run test:setup" >&2
  exit 1
fi

if ! command -v apt-get >/dev/null 2>&1; then
  echo "$name: missing: an ntfy server of 2.16 or newer; install it as \"ntfy\" on the PATH, then try again" >&2
  exit 1
fi

# The machine's own source of the suite it runs, under the newer suite's name.
codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
# shellcheck disable=SC2016 # apt fills these in
site=$(apt-get indextargets --format '$(SITE) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
  sed -n "s/^\([^ ]*\) $codename main\$/\1/p" | head -n 1)
if [ -z "$codename" ] || [ -z "$site" ]; then
  echo "$name: missing: an ntfy server of 2.16 or newer, and no Debian source to take it from; install it as \"ntfy\" on the PATH" >&2
  exit 1
fi

draft="$cache.$$"
trap 'rm -rf "$draft"' EXIT
mkdir -p "$draft/apt/lists/partial" "$draft/apt/cache/archives/partial" "$draft/apt/parts"
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
signed=''
if [ -f "$keyring" ]; then signed="[signed-by=$keyring] "; fi
echo "deb $signed$site $SUITE main" >"$draft/apt/sources.list"

# apt as it is, with a list, an index and a cache of its own. `_apt` could not write there, so the download stays with this user.
own_apt() {
  apt-get -q \
    -o "Dir::Etc::sourcelist=$draft/apt/sources.list" -o "Dir::Etc::sourceparts=$draft/apt/parts" \
    -o "Dir::State::lists=$draft/apt/lists" -o "Dir::Cache=$draft/apt/cache" \
    -o APT::Sandbox::User=root -o Acquire::Languages=none "$@"
}
echo "$name: fetching the package ntfy of Debian's $SUITE" >&2
own_apt update >&2
(cd "$draft" && own_apt download ntfy >&2)
dpkg -x "$draft"/ntfy_*.deb "$draft"
rm -rf "$draft/apt" "$draft"/ntfy_*.deb

if ! is_new "$draft/usr/bin/ntfy"; then
  echo "$name: the ntfy of Debian's $SUITE does not run here; install one of 2.16 or newer as \"ntfy\" on the PATH" >&2
  exit 1
fi
rm -rf "$cache"
mv "$draft" "$cache"
trap - EXIT
echo "$cache/usr/bin/ntfy"
