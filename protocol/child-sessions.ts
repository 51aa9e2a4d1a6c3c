import type { CanonicalEvent, EventName } from './events.ts';
import type { Session } from './session.ts';

/** Remembered links; more children than any agents of one person have. */
const MOST = 1_000;
/** Children of children, at most this deep. */
const DEEPEST = 8;

/** What the table is asked about its sessions. */
export interface KnownSessions {
  /** The session of this provider, host and id. */
  readonly find: (session: Pick<CanonicalEvent, 'provider' | 'host' | 'session_id'>) => Session | undefined;
  /** The sessions of the event's provider, host and folder. */
  readonly ofProject: (event: CanonicalEvent) => Iterable<Session>;
}

/**
 * Child sessions with an id of their own are their parent's subagents (spec: state, section 4 rule 4): what they tell is folded into the parent, as that agent's. A child is told by its
 * events (`parent_id`), which need not say so more than once, or, for Copilot, by a task that is open in the same folder when an id without a SessionStart comes up.
 */
export class ChildSessions {
  readonly #parents = new Map<string, string>();
  readonly #known: KnownSessions;

  constructor(known: KnownSessions) {
    this.#known = known;
  }

  /** Whose subagents these sessions have: after a restart the children that are at work are known again. */
  restore(sessions: Iterable<Session>): void {
    for (const { provider, host, session_id, agents } of sessions)
      for (const agent of agents) this.#link({ provider, host, session_id: agent }, session_id);
  }

  /** The event as it counts: a child's as its first ancestor's, with the child as the agent; any other as it is. */
  fold(event: CanonicalEvent): CanonicalEvent {
    const { session_id: child, parent_id: parent } = event;
    if (child === undefined || event.event === 'Signal') return event;
    if (parent !== undefined) this.#link(event, parent);
    else if (event.event === 'SessionStart') this.#parents.delete(nameOf(event, child));
    else if (!this.#parents.has(nameOf(event, child))) this.#guess(event);
    const root = this.#rootOf(event, child);
    return root === child ? event : asAgents(event, root);
  }

  /** Copilot tells of its children without their parent in some versions; what has a record of its own is no child. */
  #guess(event: CanonicalEvent): void {
    if (event.provider !== GUESSED || event.agent_id !== undefined || this.#known.find(event) !== undefined)
      return;
    for (const { session_id, open_tools } of this.#known.ofProject(event)) {
      if (open_tools.some(({ tool }) => TASKS.has(tool))) return this.#link(event, session_id);
    }
  }

  #link(child: Pick<CanonicalEvent, 'provider' | 'host' | 'session_id'>, parent: string): void {
    const { session_id = '' } = child;
    // What is its own ancestor is nobody's child.
    if (this.#rootOf(child, parent) === session_id) return;
    const name = nameOf(child, session_id);
    this.#parents.delete(name);
    this.#parents.set(name, parent);
    if (this.#parents.size > MOST) this.#parents.delete(this.#parents.keys().next().value as string);
  }

  #rootOf(of: Pick<CanonicalEvent, 'provider' | 'host'>, session: string): string {
    let root = session;
    for (let depth = 0; depth < DEEPEST; depth += 1) {
      const parent = this.#parents.get(nameOf(of, root));
      if (parent === undefined) break;
      root = parent;
    }
    return root;
  }
}

const GUESSED = 'copilot';
/** How Copilot calls the tool that runs a subagent; `Agent` in the PascalCase form of its hooks. */
const TASKS: ReadonlySet<string> = new Set(['task', 'Task', 'Agent']);

function nameOf({ provider, host = '' }: Pick<CanonicalEvent, 'provider' | 'host'>, session: string): string {
  return `${provider}\0${host}\0${session}`;
}

/** What a child's event is for its parent: its beginnings and ends are a subagent's. */
const AS_AGENTS: Partial<Readonly<Record<EventName, EventName>>> = {
  SessionStart: 'SubagentStart',
  UserPromptSubmit: 'SubagentStart',
  Stop: 'SubagentStop',
  StopFailure: 'SubagentStop',
  Interrupt: 'SubagentStop',
  SessionEnd: 'SubagentStop',
};

function asAgents(event: CanonicalEvent, parent: string): CanonicalEvent {
  return {
    ...event,
    event: AS_AGENTS[event.event] ?? event.event,
    session_id: parent,
    agent_id: event.session_id as string,
  };
}
