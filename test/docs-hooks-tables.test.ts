import { describe, expect, it } from 'vitest';
import { CONVERSATION_DEFAULTS } from '@holdfast/core/advise';
import { HOOK_DEFAULTS } from '@holdfast/core/hooks';
import { defaultsIn } from './support/markdown-tables.ts';

const header = '| option | default | what it does |';

describe('tables of hooks and conversations in the docs', () => {
  it('state the options of a registry of hooks', () => {
    expect(defaultsIn('docs/hooks.md', header)).toEqual(HOOK_DEFAULTS);
  });

  it('state the options of advice from a conversation', () => {
    expect(defaultsIn('docs/advise-conversation.md', header)).toEqual(CONVERSATION_DEFAULTS);
  });
});
