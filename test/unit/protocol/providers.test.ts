import { describe, expect, it } from 'vitest';
import { ALWAYS_SHOWN, createProviderRegistry, isProviderSlug } from '../../../protocol/providers.ts';

describe('providers (spec: state, section 2)', () => {
  const registry = createProviderRegistry([
    { slug: 'house-agent', name: 'House Agent' },
    { slug: 'amp', name: 'Amplifier' },
    { slug: 'all', name: 'Everybody' },
    { slug: 'Bad Slug', name: 'Bad' },
  ]);

  it('the built-in ones in their order, then what settings add; a bad slug adds nothing', () => {
    expect(registry.list.map((provider) => provider.slug)).toEqual([
      'claude',
      'codex',
      'gemini',
      'cursor',
      'copilot',
      'opencode',
      'codebuddy',
      'qwen',
      'amp',
      'house-agent',
    ]);
    expect(createProviderRegistry().list.map((provider) => provider.name)).toEqual([
      'Claude',
      'Codex',
      'Gemini',
      'Cursor',
      'Copilot',
      'OpenCode',
      'CodeBuddy',
      'Qwen',
      'Amp',
    ]);
  });

  it.each([
    ['claude', 'claude'],
    ['CLAUDE', 'claude'],
    ['OpenCode', 'opencode'],
    ['house agent', 'house-agent'],
    ['HOUSE-AGENT', 'house-agent'],
    ['amplifier', 'amp'],
    ['Amp', 'amp'],
  ])('%s is found as %s', (text, slug) => {
    expect(registry.find(text)?.slug).toBe(slug);
  });

  it.each(['', 'all', 'nobody', 'claude ', 'bad slug', '__proto__', 'constructor'])(
    '%j is nobody: no phantom appears',
    (text) => {
      expect(registry.find(text)).toBeUndefined();
    },
  );

  it('tells the order; what is not known comes last', () => {
    expect([registry.order('claude'), registry.order('house-agent'), registry.order('nobody')]).toEqual([
      0, 9, 10,
    ]);
  });

  it.each([
    ['a', true],
    ['a_b-9', true],
    ['x'.repeat(32), true],
    ['x'.repeat(33), false],
    ['', false],
    ['A', false],
    ['a/b', false],
    ['all', false],
  ])('slug %j: %s', (slug, good) => {
    expect(isProviderSlug(slug)).toBe(good);
  });

  it('Claude and Codex are always shown', () => {
    expect(ALWAYS_SHOWN).toEqual(['claude', 'codex']);
  });
});
