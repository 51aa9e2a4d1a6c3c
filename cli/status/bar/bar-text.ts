import type { SessionPayload } from '../../../protocol/messages/session.ts';
import type { SignalPayload } from '../../../protocol/messages/signal.ts';
import type { AttentionState } from '../../../protocol/states.ts';
import { plainText } from '../../../runtime/plain-text.ts';
import { shortDuration } from '../../terminal/duration.ts';
import { lampNote, reasonWords, stateWords } from '../../words.ts';
import type { Bar } from './bar.ts';
import { signOf } from './sign.ts';

/** Longest that a name may be [characters as a reader sees them]; the hub's own are shorter. */
const LONGEST_NAME = 40;
const ELLIPSIS = '…';
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** A name from outside: on one line, nothing in it that a terminal or a toolkit would obey, and not too long. Each host escapes the whole text besides. */
export function nameText(text: string): string {
  const plain = plainText(text, 240);
  const characters = Array.from(graphemes.segment(plain), ({ segment }) => segment);
  if (characters.length <= LONGEST_NAME) return plain;
  return characters.slice(0, LONGEST_NAME - 1).join('') + ELLIPSIS;
}

/** What the bar says beside its glyph; empty when all is quiet. */
export function headline(bar: Bar): string {
  const { state, first, more, waits } = bar;
  if (state === 'offline') return 'offline';
  if (state === 'paused') return waits > 0 ? `paused, ${waits} waiting` : 'paused';
  if (first !== undefined) return signalText(first.signal, bar.now, more);
  return quietText(bar);
}

/** The glyph and the headline. */
export function glyphAndHeadline(bar: Bar): string {
  return withGlyph(bar.state, headline(bar));
}

/** A text behind the glyph of a state: never first in its line, so nothing in it can be a line's command. */
export function withGlyph(state: Bar['state'], text: string): string {
  const { glyph } = signOf(state);
  return text === '' ? glyph : `${glyph} ${text}`;
}

/** Nobody waits and nothing failed. */
function quietText({ state, providers }: Bar): string {
  switch (state) {
    case 'ready':
      return '';
    case 'active':
    case 'stale':
      // How many work is not known: an agent counts its strongest state alone.
      return signOf(state).word;
    case 'completed': {
      const done = providers.find(({ signal }) => signal.lamp === 'completed');
      return done === undefined ? signOf(state).word : signalText(done.signal, undefined);
    }
    default: {
      // An alert outlives its request until somebody has seen it.
      const whose = providers.find(({ signal }) => signal.lamp === state);
      return whose === undefined ? 'not seen yet' : `${nameText(whose.signal.name)}: not seen yet`;
    }
  }
}

/**
 * One agent: who, for what, since when. `Codex web-shop: permission 4 min +1`
 * @param now unix ms, for the age; none without it @param more projects in the same state beside the one named; its own count when left out
 */
export function signalText(signal: SignalPayload, now: number | undefined, more?: number): string {
  const { name, lamp, attention } = signal;
  const { state, count, primary_project: project, reason, since } = attention;
  const isIdle = state === 'idle';
  const who = isIdle || project === '' ? nameText(name) : `${nameText(name)} ${nameText(project)}`;
  const others = isIdle ? 0 : (more ?? Math.max(0, count - 1));
  const what = joined([
    whatText(state, reason),
    now === undefined ? '' : ageText(state, since, now),
    others > 0 ? `+${others}` : '',
  ]);
  const note = lamp === 'active' && (state === 'done' || isIdle) ? 'more at work' : lampNote(lamp, state);
  return `${who}: ${what}${note === '' ? '' : `, ${note}`}`;
}

/** One agent above its sessions in a menu: `Codex: 2 waiting`. */
export function agentText({ name, attention }: SignalPayload): string {
  return `${nameText(name)}: ${stateWords(attention.state, attention.count)}`;
}

/** One session in a menu: `web-shop: permission (Bash) 4 min`. @param now unix ms */
export function sessionText(session: SessionPayload, now: number): string {
  const { project, state, reason, since, attentions } = session;
  const tool = attentions.find((each) => each.acked !== true)?.tool;
  return joined([
    `${nameText(project)}: ${whatText(state, reason)}`,
    tool === undefined || state !== 'needs_user' ? '' : `(${nameText(tool)})`,
    ageText(state, since, now),
  ]);
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' ');
}

/** For what: the reason says it of a wait, the state of everything else. */
function whatText(state: AttentionState, reason: string): string {
  const why = nameText(reasonWords(reason));
  if (state === 'needs_user') return why === '' ? stateWords(state) : why;
  if (state === 'error' && why !== '') return `${stateWords(state)}, ${why}`;
  return stateWords(state);
}

/** In whole minutes: a bar that counts seconds would be drawn again each second. How long an agent works asks for nobody. */
function ageText(state: AttentionState, since: number, now: number): string {
  if (since <= 0 || state === 'running' || state === 'idle') return '';
  const seconds = Math.max(0, Math.floor(now / 1000 - since));
  return seconds < 60 ? 'now' : shortDuration(seconds);
}
