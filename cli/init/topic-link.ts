import type { NotifyTarget } from '../../runtime/config/notify-section.ts';

/** How a phone gets to a topic. */
export interface TopicLink {
  /** What the code holds. */
  readonly link: string;
  /** Android's app opens it and subscribes (docs.ntfy.sh, "ntfy:// links"); the iPhone's app knows no links. Else it is the topic's web page. */
  readonly app: boolean;
}

/** The link to a topic. The app's own form has no room for a path in the server's address; then it is the web page's. */
export function topicLink({ server, topic }: NotifyTarget): TopicLink {
  const { protocol, host, pathname } = new URL(server);
  const path = pathname.replace(/\/+$/, '');
  if (path !== '') return { link: `${protocol}//${host}${path}/${topic}`, app: false };
  return { link: `ntfy://${host}/${topic}${protocol === 'http:' ? '?secure=false' : ''}`, app: true };
}
