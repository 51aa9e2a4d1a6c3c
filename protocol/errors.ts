/** Who has to act: `user` errors are printed without a stack, `fault` errors are ours. */
export type ErrorKind = 'user' | 'fault';

interface ErrorEntry {
  readonly kind: ErrorKind;
  /** What happened and why; `{name}` is replaced by the parameter of that name. */
  readonly message: string;
  /** The next step, a sentence. */
  readonly next: string;
}

/**
 * Every error and every refusal of the product: code, text, next step. Codes are stable: scripts read them in `signalbox/reject`, in HTTP answers and in
 * `--json` output.
 */
export const ERRORS = {
  // Refusals of an event (signalbox/reject, HTTP 422).
  bad_json: {
    kind: 'user',
    message: 'The payload is not a JSON object.',
    next: 'Send one JSON object, as the agent hands it to its hook.',
  },
  unknown_provider: {
    kind: 'user',
    message: 'No provider is called "{provider}".',
    next: 'Use one of {known}, or add it under [providers] in the configuration.',
  },
  unknown_event: {
    kind: 'user',
    message: 'The payload names no event that Signalbox knows.',
    next: 'See docs/topics.md for the events; nothing was changed.',
  },
  unknown_signal: {
    kind: 'user',
    message: 'No lamp signal is called "{signal}".',
    next: 'Use one of {known}.',
  },
  no_identity: {
    kind: 'user',
    message: 'The event has neither session_id nor cwd.',
    next: 'Add "session_id" or "cwd", so that the event can be told apart from other sessions.',
  },
  bad_shape: {
    kind: 'user',
    message: 'The field "{field}" is not what it should be: {expected}.',
    next: 'Mend the field and send the event again.',
  },
  too_large: {
    kind: 'user',
    message: 'The packet is larger than {limit} bytes.',
    next: 'Send less: hook events may have 16 MB, other requests over HTTP 1 MB, everything else 64 KB.',
  },
  too_deep: {
    kind: 'user',
    message: 'The payload is nested deeper than {limit} levels.',
    next: 'Send the payload as the agent hands it to its hook.',
  },
  not_allowed: {
    kind: 'user',
    message: 'A client with role {role} may not publish to {topic}.',
    next: 'docs/topics.md lists what each role may do; commands need the Unix socket.',
  },
  not_committed: {
    kind: 'fault',
    message: 'The event could not be written to the database: {reason}.',
    next: 'Look at the disk and at "signalbox status"; the sender tries again.',
  },
  // Requests to the HTTP port.
  foreign_host: {
    kind: 'user',
    message: 'The request names a host that is not this one.',
    next: 'Use http://127.0.0.1 and the port that "signalbox up" shows.',
  },
  foreign_origin: {
    kind: 'user',
    message: 'The request comes from a web page of somebody else.',
    next: 'Send it from a program: a page of another address may not.',
  },
  wrong_content_type: {
    kind: 'user',
    message: 'The request is not JSON by its content type.',
    next: 'Add the header "Content-Type: application/json", e.g. with curl -H.',
  },
  no_route: {
    kind: 'user',
    message: 'There is nothing at {method} {path}.',
    next: 'See docs/http.md.',
  },
  token_needed: {
    kind: 'user',
    message: 'This request needs the token of the hub.',
    next: 'Send the header "Authorization: Bearer TOKEN"; docs/http.md tells where the token is.',
  },
  token_wrong: {
    kind: 'user',
    message: 'The token is not that of this hub.',
    next: 'Read it again: docs/http.md tells where it is.',
  },
  too_many_attempts: {
    kind: 'user',
    message: 'Too many wrong tokens came from this address.',
    next: 'Try again in a minute, with the right one.',
  },
  // Starting up.
  port_taken: {
    kind: 'user',
    message: 'Port {port} on {host} is taken{holder}.',
    next: 'Stop that program, or choose another port with {flag}.',
  },
  address_unavailable: {
    kind: 'user',
    message: "The address {host} can't be listened on: {reason}.",
    next: 'Choose an address of this machine with {flag}.',
  },
  socket_path_too_long: {
    kind: 'user',
    message: 'The socket path {path} is longer than a Unix socket allows.',
    next: 'Set SIGNALBOX_HOME to a shorter folder.',
  },
  listen_needs_credentials: {
    kind: 'user',
    message: 'Listening on {host} would open the hub beyond this machine without credentials.',
    next: 'Take an address of this machine for "broker.listen" (--listen): accounts for other machines are not part of this version. http.listen opens the HTTP port, with a token.',
  },
  hub_running: {
    kind: 'user',
    message: 'A hub is running on this data folder already (process {pid}, {folder}{details}).',
    next: 'Stop it first, or give this one a data folder of its own with SIGNALBOX_HOME.',
  },
  prefix_taken: {
    kind: 'user',
    message: 'Another hub ({hub}) is online on this broker under the same prefix.',
    next: 'Give this hub a prefix of its own with --prefix, or join the other one with "signalbox up --join URL".',
  },
  broker_unreachable: {
    kind: 'user',
    message: 'The broker at {url} does not answer: {reason}.',
    next: 'Check the address and that the broker is running.',
  },
  bad_broker_url: {
    kind: 'user',
    message: "The broker URL {url} can't be used: {reason}.",
    next: 'Give it as mqtt://HOST:PORT, mqtts://, ws:// or wss://.',
  },
  not_delivered: {
    kind: 'fault',
    message: 'A message on {topic} was not delivered: {reason}.',
    next: 'Check that the broker is reachable.',
  },
  subscription_refused: {
    kind: 'user',
    message: 'The broker refused the subscription to {filter}.',
    next: 'Use an account whose role may see it; docs/topics.md lists the roles.',
  },
  digest_key_damaged: {
    kind: 'user',
    message: 'The key file {path} has {bytes} bytes instead of {expected}.',
    next: 'Delete it: the next start makes a new one; what is waiting then may be shown until it expires.',
  },
  http_token_damaged: {
    kind: 'user',
    message: 'What {path} holds is no token: {form}.',
    next: 'Delete it: the next start makes a new one. Or name another file with http.token_file.',
  },
  database_unusable: {
    kind: 'fault',
    message: "The database {path} can't be used: {reason}.",
    next: "Check the folder's owner, its mode and the free space.",
  },
  database_newer: {
    kind: 'user',
    message: 'The database {path} was written by a newer Signalbox (schema {found}, this one knows {known}).',
    next: 'Update Signalbox, or give this one a data folder of its own with SIGNALBOX_HOME.',
  },
  folder_unusable: {
    kind: 'user',
    message: "The folder {path} can't be used: {reason}.",
    next: 'Check its owner, its mode and the free space, or choose another with SIGNALBOX_HOME.',
  },
  // Configuration and commands.
  config_unreadable: {
    kind: 'user',
    message: "The configuration {path} can't be read: {reason}.",
    next: 'Mend the file; "signalbox config" shows the effective values.',
  },
  config_unknown_key: {
    kind: 'user',
    message: 'The configuration {path} has an unknown key "{key}".',
    next: 'Did you mean "{nearest}"? docs/configuration.md lists all keys.',
  },
  config_bad_value: {
    kind: 'user',
    message: 'The setting "{key}" ({origin}) is wrong: {reason}.',
    next: 'Mend it; docs/configuration.md tells what it takes.',
  },
  password_in_url: {
    kind: 'user',
    message: 'A password in the broker URL would show in process lists and logs.',
    next: 'Take it out of the URL and set SIGNALBOX_BROKER_PASSWORD, or broker.password_file in the configuration.',
  },
  // Settings of an agent.
  settings_unreadable: {
    kind: 'user',
    message: "{path} can't be understood at line {line}, column {column}: {reason}.",
    next: 'Mend it there, since its agent would refuse it too. Nothing was changed.',
  },
  settings_changed: {
    kind: 'user',
    message: '{path} was changed by somebody else meanwhile.',
    next: 'Run it again. What was there before is kept.',
  },
  plugin_foreign: {
    kind: 'user',
    message: '{path} is not as Signalbox wrote it, or is not ours at all.',
    next: 'Look at it. If nobody needs it, remove it and run this again. Nothing was changed.',
  },
  settings_unusable: {
    kind: 'user',
    message: "{path} can't be read or written: {reason}.",
    next: 'Check its owner, its mode and the free space. Nothing was changed.',
  },
  // The service, and taking everything out.
  service_taken: {
    kind: 'user',
    message: '{path} is there already, and {reason}.',
    next: 'Look at it, then take it away yourself. Nothing was changed.',
  },
  service_refused: {
    kind: 'user',
    message: '"{command}" failed: {reason}.',
    next: 'See "{look}", then run it again.',
  },
  hub_stays: {
    kind: 'user',
    message: 'The hub (process {pid}) {reason}.',
    next: 'Stop it where it was started, then run this again.',
  },
  broker_not_cleared: {
    kind: 'user',
    message: 'What Signalbox keeps on the broker at {url} could not be cleared: {reason}.',
    next: 'Run it again when it answers. If it never will, take broker.url out of the settings first.',
  },
  recording_unreadable: {
    kind: 'user',
    message: "The recording {path} can't be read: {reason}.",
    next: 'Check its path and mode.',
  },
  recording_exists: {
    kind: 'user',
    message: 'There is something at {path} already.',
    next: 'Give another name, or replace the file with --force.',
  },
  recording_unwritable: {
    kind: 'fault',
    message: "The recording {path} can't be written: {reason}.",
    next: 'Check the free space and the mode of its folder; what was written until then can be replayed.',
  },
  no_hub: {
    kind: 'user',
    message: 'No hub answers ({detail}).',
    next: 'Start one with "signalbox up", or name its broker with --broker-url.',
  },
  no_such_session: {
    kind: 'user',
    message: 'No session fits "{key}": {known}.',
    next: 'List them with "signalbox sessions".',
  },
  ambiguous_session: {
    kind: 'user',
    message: '"{key}" fits more than one session: {matches}.',
    next: 'Give more of the key.',
  },
  needs_socket: {
    kind: 'user',
    message:
      'This hub can only be reached over TCP ({where}), where it takes no requests: any user of the machine may connect there.',
    next: 'Set broker.socket = true, start the hub again, and run this as the same user on the same machine.',
  },
  too_many_requests: {
    kind: 'user',
    message: 'The hub has more requests than it answers at once ({limit} a second).',
    next: 'Ask again in a moment.',
  },
  bad_usage: {
    kind: 'user',
    message: '{reason}',
    next: 'See "{help}".',
  },
  refused: {
    kind: 'user',
    message: 'The hub refused it: {reason} ({code}).',
    next: 'Mend what it names and send it again.',
  },
  not_taken: {
    kind: 'fault',
    message: 'The broker did not take it: {reason}.',
    next: 'It may be that this account may not send; docs/topics.md lists the roles.',
  },
  unknown_command: {
    kind: 'user',
    message: 'There is no command "{command}".',
    next: '{guess}"signalbox help" lists all.',
  },
  unexpected: {
    kind: 'fault',
    message: 'Something went wrong that should not: {reason}.',
    next: 'Run it again with SIGNALBOX_LOG_LEVEL=debug to see where, and report it.',
  },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof ERRORS;

/** The message of a code with its parameters put in; a parameter that is missing stays visible as `{name}`. */
export function errorMessage(
  code: ErrorCode,
  params: Readonly<Record<string, string | number>> = {},
): string {
  return fill(ERRORS[code].message, params);
}

/** The next step of a code with its parameters put in. */
export function errorNext(code: ErrorCode, params: Readonly<Record<string, string | number>> = {}): string {
  return fill(ERRORS[code].next, params);
}

function fill(template: string, params: Readonly<Record<string, string | number>>): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) =>
    params[name] === undefined ? whole : String(params[name]),
  );
}

/** The one error class of the product: `code` from the catalogue, the message filled in, `next` as the next step. */
export class SignalboxError extends Error {
  readonly code: ErrorCode;
  readonly next: string;
  readonly kind: ErrorKind;
  /** What the message was made of. */
  readonly params: Readonly<Record<string, string | number>>;

  constructor(
    code: ErrorCode,
    params: Readonly<Record<string, string | number>> = {},
    options?: ErrorOptions,
  ) {
    super(errorMessage(code, params), options);
    this.name = 'SignalboxError';
    this.code = code;
    this.params = params;
    this.next = errorNext(code, params);
    this.kind = ERRORS[code].kind;
  }
}
