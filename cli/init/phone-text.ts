import type { NotifyTarget } from '../../runtime/config/notify-section.ts';
import { plainText } from '../../runtime/plain-text.ts';
import { padding, widthOf } from '../terminal/cells.ts';
import { qrLines } from '../terminal/qr-code.ts';
import { type TopicLink, topicLink } from './topic-link.ts';

/** What the code may be drawn on. */
export interface Sheet {
  readonly colour: boolean;
  readonly width: number;
  /** Lines of the terminal. */
  readonly height: number;
}

const GAP = 2;
/** The question that follows has to be on the screen as well. */
const LINES_BELOW = 3;

/** How the phone subscribes: the code, and the link, topic and server beside it. Without colours, or room, the words alone. */
export function subscribeText(target: NotifyTarget, { colour, width, height }: Sheet): string {
  const link = topicLink(target);
  const words = wordsOf(target, link);
  const code = qrLines(link.link);
  const fits = code.width <= width && code.lines.length + LINES_BELOW <= height;
  if (!colour || !fits) return `${words.join('\n')}\n`;
  const widest = words.reduce((most, line) => Math.max(most, widthOf(line)), 0);
  if (code.width + GAP + widest > width || words.length > code.lines.length)
    // The code last: it has to be whole on the screen.
    return `${[...words, '', ...code.lines].join('\n')}\n`;
  const beside = code.lines.map((line, index) => {
    const text = words[index] ?? '';
    return text === '' ? line : `${line}${padding('', GAP)}${text}`;
  });
  return `${beside.join('\n')}\n`;
}

function wordsOf({ server, topic }: NotifyTarget, { link, app }: TopicLink): string[] {
  const scan = app ? 'Android: scan the code, or open' : 'Scan the code, or open';
  return [
    'On the phone, get the app "ntfy".',
    '',
    scan,
    plainText(link, 240),
    '',
    app ? 'iPhone: in the app, add the topic' : 'In the app, add the topic',
    topic,
    'of the server',
    plainText(server, 240),
    '',
    'Whoever knows the topic can read along.',
  ];
}
