import { VERSION as ANTHROPIC } from '@anthropic-ai/sdk/version';
import { VERSION as OPENAI } from 'openai/version';
import { expect, test } from 'vitest';
import { peerVersion } from './peer-version.ts';

test('the SDKs that are tested are those that were asked for', () => {
  expect(OPENAI).toBe(peerVersion('openai'));
  expect(ANTHROPIC).toBe(peerVersion('@anthropic-ai/sdk'));
});
