import { shell } from './shell.ts';

/** What curl got. */
export interface CurlAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The body as JSON. */
  json(): unknown;
}

export interface CurlOptions {
  readonly method?: string;
  /** Objects go out as JSON with its content type. */
  readonly body?: object | string;
  /** Header lines. */
  readonly headers?: readonly string[];
  readonly token?: string;
}

/** Sends a request with curl, as a user's script would. @throws Error when curl itself fails */
export async function curl(url: string, options: CurlOptions = {}): Promise<CurlAnswer> {
  const { method, body, headers = [], token } = options;
  const lines = [
    ...headers,
    ...(typeof body === 'object' ? ['Content-Type: application/json'] : []),
    ...(token === undefined ? [] : [`Authorization: Bearer ${token}`]),
  ];
  const args = [
    ...['-sS', '-i', '--http1.1'],
    ...(method === 'HEAD' ? ['-I'] : method === undefined ? [] : ['-X', method]),
    ...lines.flatMap((line) => ['-H', line]),
    ...(body === undefined ? [] : ['--data-binary', '@-']),
    url,
  ];
  const input = typeof body === 'object' ? JSON.stringify(body) : (body ?? '');
  const { status, stdout, stderr } = await shell('curl', args, { input });
  if (status !== 0) throw new Error(`curl ended with ${status}: ${stderr}`);
  const [head = '', ...rest] = stdout.replace(/^HTTP\/1\.1 100 .*\r\n\r\n/, '').split('\r\n\r\n');
  const [first = '', ...fields] = head.split('\r\n');
  const text = rest.join('\r\n\r\n');
  return {
    status: Number(first.split(' ')[1]),
    headers: Object.fromEntries(
      fields.map((field): [string, string] => {
        const colon = field.indexOf(':');
        return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()];
      }),
    ),
    text,
    json: () => JSON.parse(text) as unknown,
  };
}
