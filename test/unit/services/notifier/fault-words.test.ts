import { expect, it } from 'vitest';
import { faultWords } from '../../../../services/notifier/fault-words.ts';

it('a fault is told in words, with the numbers of the server where it gave some', () => {
  const refused = { ok: false, fault: 'not_authorised', retry: false, status: 403, code: 40301 } as const;
  expect(faultWords(refused).what).toBe('it refuses the credentials, or wants some (403/40301)');
  expect(faultWords({ ok: false, fault: 'timeout', retry: true })).toEqual({
    what: 'it does not answer in time',
    mend: expect.stringContaining('notify.server'),
  });
});
