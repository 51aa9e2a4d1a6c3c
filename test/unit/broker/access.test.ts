import { describe, expect, it } from 'vitest';
import { identifyLocal } from '../../../broker/access.ts';

describe('identifyLocal', () => {
  const roles = async (facts: Partial<Parameters<typeof identifyLocal>[0]>) =>
    (await identifyLocal({ listener: 'tcp', clientId: 'c', remoteAddress: '127.0.0.1', ...facts }))?.roles;

  it('knows whom by the door they come in by', async () => {
    expect(await roles({})).toEqual(['hook', 'viewer']);
    expect(await roles({ listener: 'websocket', remoteAddress: '::1' })).toEqual(['hook', 'viewer']);
    expect(await identifyLocal({ listener: 'socket', clientId: 'c' })).toEqual({
      roles: ['hook', 'viewer', 'operator'],
    });
  });

  it('refuses other machines, and whoever believes in an account', async () => {
    expect(await roles({ remoteAddress: '10.0.0.2' })).toBeUndefined();
    expect(await identifyLocal({ listener: 'tcp', clientId: 'c' })).toBeUndefined();
    expect(await roles({ username: '' })).toBeUndefined();
    expect(await roles({ listener: 'socket', password: Buffer.from('x') })).toBeUndefined();
  });
});
