#!/bin/sh
# What Claude Code's plugin runs on every event: forward.sh claude
#
# Becomes the sender that "signalbox hooks sender --install" has put into the data folder; the folders are those of runtime/paths.ts.
# Where there is none it says nothing and ends well: Claude must not be held up by a Signalbox that is gone.

if [ -n "${SIGNALBOX_HOME-}" ]; then
  sender=$SIGNALBOX_HOME/bin/signalbox-hook
else
  # A path that isn't absolute is to be ignored (XDG Base Directory Specification).
  case ${XDG_DATA_HOME-} in
    /*) share=$XDG_DATA_HOME ;;
    *) share=${HOME-}/.local/share ;;
  esac
  sender=$share/signalbox/bin/signalbox-hook
  [ -x "$sender" ] || sender="${HOME-}/Library/Application Support/signalbox/bin/signalbox-hook"
fi
if [ -f "$sender" ] && [ -x "$sender" ]; then exec "$sender" "$@"; fi
exit 0
