import { createNtfyClient, type NtfyOutcome, type NtfyServer } from './ntfy-client.ts';
import { type Language, WORDS } from './words.ts';

export interface TestMessage extends NtfyServer {
  readonly topic: string;
  readonly language?: Language;
}

/** Sends one message that says that it works, and waits for the server's answer, 10 s at most. Never rejects. */
export async function sendTest({ topic, language = 'en', ...server }: TestMessage): Promise<NtfyOutcome> {
  const client = createNtfyClient(server);
  try {
    const { testTitle: title, testText: message } = WORDS[language];
    return await client.publish({ topic, title, message, priority: 3, tags: ['bell'] });
  } finally {
    await client.close();
  }
}
