import { isDeepStrictEqual } from 'node:util';
import { getNodeValue, type Node } from 'jsonc-parser';
import { addChild, layoutOf, removeChild } from './child-edits.ts';
import { type Dialect, expectType, parseSettings, valueOf } from './json-tree.ts';

/** What an agent runs for one event, in its own form. */
export type Handler = Readonly<Record<string, unknown>>;

export interface Hook {
  readonly event: string;
  readonly handler: Handler;
}

/**
 * How an agent's file holds its hooks, below the key `hooks`: by event, as groups of handlers (`[{"hooks": [handler]}]`, Claude Code and what followed it) or as handlers
 * (`[handler]`, Cursor and Copilot).
 */
export interface HookFileForm extends Dialect {
  readonly shape: 'groups' | 'handlers';
  /** What else a new file has to hold. */
  readonly preamble?: Handler;
}

/** What tells a handler of ours from another's: the sender's path (spec: agents, section 3). */
export type IsOurs = (handler: Handler) => boolean;

export interface HookFile {
  /** Its text; empty for a file that does not exist. */
  readonly text: string;
  readonly path: string;
  readonly form: HookFileForm;
  readonly isOurs: IsOurs;
}

/** The hooks of ours that a file holds. @throws SignalboxError `settings_unreadable` */
export function ownHooks(file: HookFile): readonly Hook[] {
  return placesOf(withoutMark(file)).map(({ event, handler }) => ({ event, handler }));
}

/**
 * The text with exactly these hooks of ours in it, each once; what somebody else put there stays byte for byte. Hooks of an older version go, those that are right stay.
 * @throws SignalboxError `settings_unreadable`
 */
export function withHooks(file: HookFile, wanted: readonly Hook[]): string {
  const open = withoutMark(file);
  const missing = [...wanted];
  const stale = ({ event, handler }: Place): boolean => {
    const index = missing.findIndex(
      (hook) => hook.event === event && isDeepStrictEqual(hook.handler, handler),
    );
    if (index < 0) return true;
    missing.splice(index, 1);
    return false;
  };
  // Which go is decided on the text as it is; each removal moves what comes behind it.
  const going = placesOf(open).map((place) => stale(place));
  let text = removed(open, (_, index) => going[index] === true);
  for (const hook of missing) text = added({ ...open, text }, hook);
  return file.text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK + text : text;
}

/** The text without any hook of ours, and without what would be left empty by that. @throws SignalboxError `settings_unreadable` */
export function withoutHooks(file: HookFile): string {
  const text = removed(withoutMark(file), () => true);
  return file.text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK + text : text;
}

const BYTE_ORDER_MARK = '\uFEFF';

function withoutMark(file: HookFile): HookFile {
  return { ...file, text: file.text.replace(/^\uFEFF/, '') };
}

/** Where a handler of ours stands. */
interface Place extends Hook {
  /** Lists from the outside in, each with the index of what leads to the handler. */
  readonly trail: readonly { readonly list: Node; readonly index: number }[];
}

function placesOf({ text, path, form, isOurs }: HookFile): readonly Place[] {
  const root = parseSettings(text, form, path);
  const hooks = root && valueOf(root, 'hooks', text, path);
  if (root === undefined || hooks === undefined) return [];
  expectType(hooks, 'object', 'hooks', text, path);
  const hooksAt = { list: root, index: propertyIndex(root, hooks) };
  const places: Place[] = [];
  for (const [index, property] of (hooks.children ?? []).entries()) {
    const event = String(property.children?.[0]?.value);
    const list = valueOf(hooks, event, text, path);
    if (list === undefined) continue;
    expectType(list, 'array', event, text, path);
    const eventAt = { list: hooks, index };
    for (const [position, entry] of (list.children ?? []).entries()) {
      const entryAt = { list, index: position };
      if (form.shape === 'handlers') {
        const handler = handlerOf(entry);
        if (handler && isOurs(handler)) places.push({ event, handler, trail: [hooksAt, eventAt, entryAt] });
        continue;
      }
      const inner = entry.type === 'object' ? valueOf(entry, 'hooks', text, path) : undefined;
      if (inner?.type !== 'array') continue;
      for (const [at, node] of (inner.children ?? []).entries()) {
        const handler = handlerOf(node);
        if (handler && isOurs(handler))
          places.push({ event, handler, trail: [hooksAt, eventAt, entryAt, { list: inner, index: at }] });
      }
    }
  }
  return places;
}

function handlerOf(node: Node): Handler | undefined {
  // The library's objects have no prototype; a clone has the usual one and can be compared.
  return node.type === 'object' ? structuredClone(getNodeValue(node) as Handler) : undefined;
}

function propertyIndex(parent: Node, value: Node): number {
  return (parent.children ?? []).findIndex(({ children }) => children?.[1] === value);
}

/** Removes from the last to the first, so that the places of the others still hold. */
function removed(file: HookFile, goes: (place: Place, index: number) => boolean): string {
  let { text } = file;
  for (let index = placesOf(file).length - 1; index >= 0; index -= 1) {
    const place = placesOf({ ...file, text })[index];
    if (place !== undefined && goes(place, index)) text = withoutPlace(text, place);
  }
  return text;
}

/** Takes the outermost list entry that would be left empty: the group, the event, `hooks`. */
function withoutPlace(text: string, { trail }: Place): string {
  let depth = trail.length - 1;
  while (depth > 0 && trail[depth]?.list.children?.length === 1) depth -= 1;
  const at = trail[depth];
  return at === undefined ? text : removeChild(text, at.list, at.index);
}

function added({ text, path, form }: HookFile, { event, handler }: Hook): string {
  const entry = form.shape === 'groups' ? { hooks: [handler] } : handler;
  const layout = layoutOf(text);
  const json = (value: unknown): string => JSON.stringify(value, undefined, layout.indent);
  const root = parseSettings(text, form, path);
  if (root === undefined) {
    const whole = { ...form.preamble, hooks: { [event]: [entry] } };
    return `${json(whole).replaceAll('\n', layout.eol)}${layout.eol}`;
  }
  const hooks = valueOf(root, 'hooks', text, path);
  if (hooks === undefined) return addChild(text, root, `"hooks": ${json({ [event]: [entry] })}`, layout);
  expectType(hooks, 'object', 'hooks', text, path);
  const list = valueOf(hooks, event, text, path);
  if (list === undefined) return addChild(text, hooks, `${JSON.stringify(event)}: ${json([entry])}`, layout);
  expectType(list, 'array', event, text, path);
  return addChild(text, list, json(entry), layout);
}
