#!/bin/sh
# What an agent runs on every event: signalbox-hook <provider> [event] [json]
# and when Codex has ended a turn:   signalbox-hook codex-notify [-- program [argument...]] json
#
# Puts the agent's JSON, as it is, into an envelope and publishes it to the hub of this machine (QoS 1, over loopback), in about
# the time that a shell takes to start. When nobody answers, a Node program keeps the event, cut down, in the background. Whatever
# happens it says nothing but what the agent wants to read, and its status is 0 (spec: agents, section 1).
#
# The syntax is POSIX, so that every sh can read all of it. What only bash has is run by bash alone, from 3.2 (macOS) on; nothing
# is evaluated but constants, and no payload ever stands on a command line or in a file.
# shellcheck disable=SC2059,SC3025,SC3028,SC3040,SC3045 # what only bash has is run by bash alone; formats are our own

# Codex has one slot for such a program: the one that was there runs as Codex would run it, with nothing of what is set below, and
# is not waited for.
if [ "${1-}" = codex-notify ]; then
  shift
  if [ "${1-}" = -- ]; then
    shift
    if [ "$#" -gt 1 ] && command -v "$1" >/dev/null 2>&1; then (exec "$@") & fi
    for argument do :; done
    set -- "${argument-}"
  fi
  set -- codex "$@"
fi

exec 2>/dev/null
trap '' PIPE
# Lengths are bytes; and a bash that starts in a locale that is not there would say so.
LC_ALL=C
export LC_ALL
set -f

# sh first, since BASH_ENV, exported functions and a broken locale reach a bash that is started as such; it costs 1 ms.
if [ -n "${BASH_VERSINFO-}" ]; then
  set +o posix
  bash=$BASH_VERSINFO
else
  command -v bash >/dev/null && exec bash -p "$0" "$@"
  bash=0
fi

# Input up to here is sent by the shell; more needs a program that moves it faster, and fits no socket's buffer.
LIMIT=49152
here=${0%/*}
data=${SIGNALBOX_HOME:-${here%/*}}
node=$here/signalbox-node
[ -x "$node" ] || node=node
sender=$here/signalbox-hook.cjs
[ -f "$sender" ] || sender=$here/signalbox-hook.js

# ---- time: microseconds where bash knows them (5), whole seconds elsewhere

if [ "$bash" -ge 5 ]; then
  started=${EPOCHREALTIME%[.,]*}${EPOCHREALTIME#*[.,]}
else
  started=
fi

# left UNTIL LEAST: sets `left` to the seconds until so many µs after the start; LEAST [µs] at the least, UNTIL at the most.
left() {
  if [ -n "$started" ]; then
    left=$((started + $1 - ${EPOCHREALTIME%[.,]*}${EPOCHREALTIME#*[.,]}))
    [ "$left" -gt "$2" ] || left=$2
    # The clock was set back.
    [ "$left" -le "$1" ] || left=$1
    printf -v left '%d.%06d' $((left / 1000000)) $((left % 1000000))
  elif [ "$bash" -ge 4 ]; then
    left=0.$(($1 / 100000))
  else
    left=1
  fi
}

# ---- the command line

provider=${1-}
case $provider in '' | *[!A-Za-z0-9_-]*) exit 0 ;; esac
[ ${#provider} -le 32 ] || exit 0
shift
event='' json='' argument='' hook=''
for argument do :; done
case ${argument#"${argument%%[![:space:]]*}"} in '{'*) json=$argument ;; esac
for argument do
  if [ -n "$argument" ] && [ "$argument" != "$json" ]; then
    event=$argument
    break
  fi
done

# ---- what the agent has to say

# Makes this the Node sender, which does all of it by itself; where Node is missing there is nobody to do it.
become_node() {
  SIGNALBOX_HOME=$data
  export SIGNALBOX_HOME
  command -v "$node" >/dev/null || exit 0
  exec "$node" "$sender" "$provider" "$@"
}

# seems_whole: whether `hook` could be a JSON object, by its last character.
seems_whole() {
  case ${hook%"${hook##*[![:space:]]}"} in *'}') return 0 ;; esac
  return 1
}

# bash 5 reads a pipe in large pieces, and keeps what came when time is up. An agent that leaves its end open has said all when it
# has said an object and no more comes; one that still writes, or is too busy to have begun, is listened to for up to a second.
read_modern() {
  left 200000 50000
  IFS= read -r -N "$LIMIT" -t "$left" hook
  status=$?
  tries=0
  while [ "$status" -gt 128 ] && [ "$tries" -lt 26 ]; do
    tries=$((tries + 1))
    IFS= read -r -N "$((LIMIT - ${#hook} + 1))" -t 0.03 more
    status=$?
    if [ -z "$more" ] && seems_whole; then break; fi
    hook=$hook$more
  done
  # As much as was asked for: there may be more.
  if [ "$status" -eq 0 ]; then
    eval 'exec < <(printf %s "$hook"; exec cat)'
    become_node "$@"
  fi
}

# Elsewhere a program reads, and another ends it when the agent does not.
read_old() {
  hook=$(
    exec 3<&0
    cat <&3 &
    reader=$!
    { sleep 1; kill "$reader"; } </dev/null >/dev/null 3<&- &
    watch=$!
    wait "$reader"
    kill "$watch"
  )
}

# printf has to be the shell's own: the payload would stand on the command line of another.
if [ "$bash" -eq 0 ]; then
  case $(command -v printf) in */*) become_node "$@" ;; esac
  command -v mosquitto_pub >/dev/null || command -v curl >/dev/null || become_node "$@"
fi
# Its end may be closed altogether, and a number that is free would be given to the connection.
{ : <&0; } || exec </dev/null
{ : >&1; } || exec >/dev/null
if [ "$provider" = cursor ]; then printf '{}'; fi
if [ -n "$json" ]; then
  hook=$json
elif [ "$bash" -ge 5 ]; then
  read_modern "$@"
else
  read_old
fi
# A payload that only holds the name deeper down is answered too: that does no harm, and an answer that is missing does.
if [ "$provider" = codex ]; then
  case $event in
    Stop | SubagentStop) printf '{}' ;;
    '')
      case $hook in
        *'"hook_event_name":"Stop"'* | *'"hook_event_name": "Stop"'* | *'"hook_event_name" : "Stop"'*) printf '{}' ;;
        *'"hook_event_name":"SubagentStop"'* | *'"hook_event_name": "SubagentStop"'*) printf '{}' ;;
      esac
      ;;
  esac
fi
[ -n "$hook" ] || exit 0

# ---- the envelope

# escape TEXT: sets `escaped` to what stands between the quotes of a JSON text.
escape() {
  escaped=$1
  case $1 in *[\"\\[:cntrl:]]*) ;; *) return ;; esac
  escaped='' rest=$1
  while [ -n "$rest" ]; do
    character=${rest%"${rest#?}"}
    rest=${rest#?}
    case $character in
      [\"\\]) character=\\$character ;;
      [[:cntrl:]]) character=$(printf '\\u%04x' "'$character") ;;
    esac
    escaped=$escaped$character
  done
}

# told NAME VALUE: adds a variable to the envelope's env. What is longer than any real one is left out.
told() {
  if [ -z "$2" ] || [ ${#2} -gt 256 ]; then return; fi
  escape "$2"
  env="$env${env:+,}\"$1\":\"$escaped\""
}

# stat_of PID: sets `stat` to the fields of /proc/PID/stat from the third on: the second may hold anything (proc(5)).
stat_of() {
  stat=''
  read -r stat <"/proc/$1/stat" || return 1
  stat=${stat##*) }
}

# terminal_of PID: sets `tty` from field 7; 136 to 143 are pseudo-terminals, 4 the consoles (devices.txt).
terminal_of() {
  stat_of "$1" || return 1
  # shellcheck disable=SC2086 # a list of words on purpose
  set -- $stat
  major=$(((${5:-0} >> 8) & 4095)) minor=$(((${5:-0} & 255) | ((${5:-0} >> 12) & 1048320)))
  if [ "$major" -ge 136 ] && [ "$major" -le 143 ]; then
    tty=/dev/pts/$(((major - 136) * 256 + minor))
  elif [ "$major" -eq 4 ]; then
    tty=/dev/tty$minor
  else
    return 1
  fi
}

unique=''
read -r unique </proc/sys/kernel/random/uuid || unique=$(od -An -N16 -tx1 /dev/urandom)
case $unique in *[!0-9a-f-]*) unique=$(printf %s "$unique" | tr -dc 0-9a-f) ;; esac
[ -n "$unique" ] || unique=$$-${RANDOM-}${RANDOM-}${RANDOM-}-$PPID
tty='' env=''
terminal_of self || terminal_of "$PPID"
told TMUX_PANE "${TMUX_PANE-}"
told TERM_PROGRAM "${TERM_PROGRAM-}"
told SIGNALBOX_JOB_ID "${SIGNALBOX_JOB_ID-}"
told CLAUDE_PID "${CLAUDE_PID-}"
told CLAUDE_CODE_ENTRYPOINT "${CLAUDE_CODE_ENTRYPOINT-}"
told CLAUDE_CODE_CHILD_SESSION "${CLAUDE_CODE_CHILD_SESSION-}"
# Its value holds addresses, and stays.
[ -z "${SSH_CONNECTION-}" ] || env="$env${env:+,}\"SSH_CONNECTION\":true"
escape "$event"
envelope="{\"v\":1,\"id\":\"$unique\"${started:+,\"sent_at\":${started%???}},\"ppid\":$PPID${tty:+,\"tty\":\"$tty\"}\
${event:+,\"event\":\"$escaped\"},\"env\":{$env},\"hook\":$hook}"

# ---- where the hub is

# is_number TEXT DIGITS: a number above 0, as JSON writes it, with so many digits at most.
is_number() {
  case $1 in '' | 0* | *[!0-9]*) return 1 ;; esac
  [ ${#1} -le "$2" ]
}

# Reads hub.json as the hub writes it, a field a line; what looks otherwise is for the Node sender to judge.
read_hub() {
  pid='' start='' host='' port='' http='' prefix='' file=''
  [ -f "$data/hub.json" ] || return 1
  if [ "$bash" -gt 0 ]; then
    IFS= read -r -d '' file <"$data/hub.json"
  else
    file=$(cat "$data/hub.json")
  fi
  # Of what is that long the hub wrote nothing.
  [ ${#file} -lt 4096 ] || return 1
  IFS='
'
  for line in $file; do
    line=${line%,}
    value=${line#*: }
    case $line in
      '  "pid": '*) pid=$value ;;
      '    "start": "'*'"') start=$value ;;
      '  "host": "'*'"') host=$value ;;
      '  "mqtt_port": '*) port=$value ;;
      '  "http_port": '*) http=$value ;;
      '  "prefix": "'*'"') prefix=$value ;;
    esac
  done
  unset IFS
  is_number "$pid" 10 || return 1
  # Whole prompts go through: to loopback, and to nowhere else.
  case $host in '"127.0.0.1"' | '"localhost"') host=127.0.0.1 ;; '"::1"') host=::1 ;; *) return 1 ;; esac
  prefix=${prefix#\"} prefix=${prefix%\"}
  case $prefix in
    '') topic=hook/$provider ;;
    *[\"\\+#[:cntrl:]]* | /* | */ | *//*) return 1 ;;
    *) topic=$prefix/hook/$provider ;;
  esac
  [ ${#topic} -le 200 ]
}

# A port that a dead hub has left may be anybody's by now. Where it can't be told for sure, the Node sender looks closer.
hub_lives() {
  if [ -r /proc/self/stat ]; then
    stat_of "$pid" || return 1
    # shellcheck disable=SC2086 # a list of words on purpose
    set -- $stat
    [ "$1" != Z ] && [ "\"${20-}\"" = "$start" ]
  else
    kill -0 "$pid"
  fi
}

# ---- the ways to speak to it

# octet NUMBER: adds a byte to `octets`, as printf's format spells it.
octet() { octets="$octets\\$(($1 / 64))$(($1 / 8 % 8))$(($1 % 8))"; }

# Publishes over /dev/tcp, without another process. bash drops NUL bytes, but ends a `read -d ''` at one. CONNACK is 20 02 00 00, and
# with 41 00 for the packet's id PUBACK is 40 02 41 00 (hexadecimal): each ends where a read does [MQTT 3.1.1, 3.2 and 3.4]. Nothing
# is published before CONNACK (spec: bus, "What Aedes 1.2 needs from us").
# Returns 1 where it failed, 2 where this bash can't, 3 where nobody answered in time.
by_bash() {
  { exec 6<>"/dev/tcp/$host/$port"; } || {
    case $({ exec 6<>"/dev/tcp/$host/$port"; } 2>&1) in *'No such file'*) return 2 ;; esac
    return 1
  }
  client=sb${unique%%-*}$$
  octets=''
  octet $((12 + ${#client}))
  connect=$octets octets=''
  octet ${#client}
  printf "\\020$connect\\000\\004MQTT\\004\\002\\000\\000\\000$octets%s" "$client" >&6
  answer_is '\040\002' || return
  answer_is '' || return
  octets='' length=$((4 + ${#topic} + ${#envelope}))
  while [ "$length" -gt 127 ]; do
    octet $((length % 128 + 128))
    length=$((length / 128))
  done
  octet "$length"
  octet 0
  octet ${#topic}
  printf "\\062$octets%s\\101\\000%s" "$topic" "$envelope" >&6
  answer_is '\100\002\101' || return
  printf '\340\000' >&6
}

# answer_is BYTES: waits for these and a NUL, by `printf -v` since a substitution would be a process. Returns as by_bash does.
answer_is() {
  printf -v expected "$1"
  answer=''
  left 280000 50000
  IFS= read -r -d '' -t "$left" -u 6 answer
  status=$?
  # bash 3.2 does not tell a silence from a connection that was closed.
  if [ "$status" -gt 128 ] || { [ "$status" -gt 0 ] && [ "$bash" -lt 4 ]; }; then return 3; fi
  [ "$status" -eq 0 ] && [ "$answer" = "$expected" ]
}

# A process more, which can be given up: a hub that hangs stops taking connections some day, and no shell can give up connecting. So
# this is done only once a hub has been silent, for as long as none has answered; by the mark of that nothing else is decided.
by_watched_bash() {
  eval 'exec 7< <(by_bash </dev/null; echo "$?")'
  child=${!-}
  left 280000 50000
  read -r -t "$left" -u 7 status && return "$status"
  [ -z "$child" ] || kill "$child"
  return 3
}

# bounded COMMAND...: runs it with the envelope on its standard input, and ends it when it takes too long.
bounded() {
  printf %s "$envelope" | "$@" >/dev/null &
  speaker=$!
  { sleep 0.25 || sleep 1; kill "$speaker"; } </dev/null >/dev/null &
  watch=$!
  wait "$speaker"
  status=$?
  kill "$watch"
  return "$status"
}

# The first way that fits. The settings of curl and mosquitto_pub may name a proxy, and environments do: neither is read.
publish() {
  read_hub && hub_lives || return
  if [ "$bash" -gt 0 ] && is_number "$port" 5; then
    if [ -e "$here/hung" ]; then by_watched_bash; else by_bash; fi
    case $? in
      0) [ ! -e "$here/hung" ] || rm -f "$here/hung"; return 0 ;;
      2) ;;
      3) : >"$here/hung"; return 1 ;;
      *) return 1 ;;
    esac
  fi
  if is_number "$port" 5 && command -v mosquitto_pub >/dev/null; then
    HOME=/dev/null XDG_CONFIG_HOME=/dev/null bounded mosquitto_pub -h "$host" -p "$port" -t "$topic" -q 1 -s
  elif is_number "$http" 5 && command -v curl >/dev/null; then
    case $host in *:*) host="[$host]" ;; esac
    bounded curl -q -s -f --noproxy '*' -H 'Content-Type: application/json' -H 'Expect:' --data-binary @- \
      "http://$host:$http/hook/$provider"
  else
    return 1
  fi
}

# The Node sender tries once more, cuts the event down and keeps it. The agent waits for nothing of that: its pipes are closed, and
# the session is another, where the system can.
hand_over() {
  detach=''
  if command -v setsid >/dev/null; then detach=setsid; elif [ "$bash" -gt 0 ]; then set -m; fi
  {
    trap '' HUP
    # shellcheck disable=SC2086 # a word or none
    printf %s "$envelope" | SIGNALBOX_HOME=$data exec $detach "$node" "$sender" --envelope "$provider"
  } </dev/null >/dev/null 6>&- &
}

publish || hand_over
exit 0
