import { Command } from 'commander';

const END = `
It reads the agent's JSON from stdin and hands it to the hub of this machine; if
none answers within 300 ms, it keeps what the hub needs of it for later. It
prints nothing but what the agent wants to read, and its status is always 0.

Examples:
  signalbox hook claude < event.json
  signalbox hook copilot sessionEnd < event.json    the JSON names no event
  signalbox hook codex '{"type":"agent-turn-complete", ...}'`;

/** Help only: main.ts hands everything else to the sender before anything of the command line is loaded. */
export function hookCommand(): Command {
  return new Command('hook')
    .summary('send an event, as an agent runs it')
    .description("Sends one event of a coding agent: what the agent's hooks run.")
    .argument('<provider>', 'whose event, e.g. claude')
    .argument('[event]', "its name, where the agent's JSON has none")
    .argument('[json]', "the agent's JSON, where stdin has none")
    .option('--envelope', 'stdin holds the envelope of another sender')
    .addHelpText('after', END);
}
