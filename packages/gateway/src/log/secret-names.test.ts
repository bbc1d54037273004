import { expect, test } from 'vitest';
import { isSecretName } from './secret-names.ts';

test.each([
  'authorization',
  'Proxy-Authorization',
  'x-api-key',
  'apiKey',
  'OPENAI_API_KEY',
  'cookie',
  'set-cookie',
  'x-holdfast-token',
  'token',
  'access_token',
  'accessToken',
  'password',
  'client_secret',
  'private_key',
  'credentials',
])('%s names a secret', (name) => {
  expect(isSecretName(name)).toBe(true);
});

test.each(['max_tokens', 'inputTokens', 'tokenHeaders', 'author', 'key', 'model', 'tokenizer'])(
  '%s does not',
  (name) => {
    expect(isSecretName(name)).toBe(false);
  },
);
