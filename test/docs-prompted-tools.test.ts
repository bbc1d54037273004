import type { JsonObject } from '@holdfast/core';
import { describe, expect, it } from 'vitest';
import { chatProtocol } from '../packages/gateway/src/proxy/chat/chat-protocol.ts';
import { NORMALISE_DEFAULTS } from '../packages/gateway/src/proxy/normalise-rules.ts';
import { promptTools } from '../packages/gateway/src/proxy/prompt/prompt-tools.ts';
import { readPage } from './support/markdown.ts';
import { readText } from './support/repository.ts';

const { fences } = readPage(readText('docs/prompted-tools.md'));
const block = (wanted: string): string =>
  fences.find(({ language }) => language === wanted)!.body.join('\n');

/** A message as the page shows it: its role, and its text indented. */
function shown({ role, content }: { readonly role: string; readonly content: string }): string {
  return `${role}\n${content.replaceAll(/^(?=.)/gm, '  ')}`;
}

describe('docs/prompted-tools.md', () => {
  it('shows what the model sees', () => {
    const read = chatProtocol.read(JSON.parse(block('json')), NORMALISE_DEFAULTS, () => '');
    if (!read.ok) throw new Error(read.error.message);
    const { request } = read;
    const translated = chatProtocol.translate(request, 'chat', NORMALISE_DEFAULTS);
    if (!translated.ok) throw new Error(translated.error.message);
    const { body } = promptTools(translated.body, request.tools, { model: request.model });
    const { messages, ...others } = body as JsonObject & {
      messages: readonly { role: string; content: string }[];
    };
    expect(messages.map(shown).join('\n')).toBe(block('text'));
    expect(others).toEqual({ model: 'gemma3:4b' });
  });
});
