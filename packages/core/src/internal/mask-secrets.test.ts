import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { maskSecrets } from './mask-secrets.ts';

const letters = 'Ab3dEf6hIj9lMn2pQr5tUv8xYz1';

describe('maskSecrets', () => {
  test.each([
    ['OPENAI_API_KEY=abc123xyz', 'OPENAI_API_KEY=***'],
    ['export DB_PASSWORD="hunter2"; run', 'export DB_PASSWORD="***"; run'],
    ['{"password": "correct horse"}', '{"password": "***"}'],
    ['{"api_key":"0123456789abcdef"}', '{"api_key":"***"}'],
    ['Authorization: Bearer abcdefgh12345678', 'Authorization: Bearer ***'],
    ['postgres://me:s3cret@db.local/app', 'postgres://me:***@db.local/app'],
    [`key sk-${letters} rejected`, 'key *** rejected'],
    [`ghp_${letters}`, '***'],
    [`github_pat_${letters}`, '***'],
    ['xoxb-12345678901-abc', '***'],
    ['AKIAABCDEFGHIJKLMNOP', '***'],
    [`AIza${letters}${letters}`, '***'],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc-_1', '***'],
    ['login --password hunter2 --user me', 'login --password *** --user me'],
    ['curl -H "X-Api-Key: 0123456789"', 'curl -H "X-Api-Key: ***"'],
    ['secret: 0123456789', 'secret: ***'],
    [
      '-----BEGIN RSA PRIVATE KEY-----\nMIIabc\n-----END RSA PRIVATE KEY-----\nnext',
      '-----BEGIN RSA PRIVATE KEY-----***-----END RSA PRIVATE KEY-----\nnext',
    ],
    ['-----BEGIN PRIVATE KEY-----\nMIIabc', '-----BEGIN PRIVATE KEY-----***'],
  ])('masks %s', (text, masked) => {
    expect(maskSecrets(text)).toBe(masked);
  });

  test.each([
    'SyntaxError: Unexpected token: }',
    'token_count=512 tokens: 20000000',
    'password authentication failed for user "me"',
    'cat: /home/me/secret/path.txt: No such file or directory',
    'https://example.com:8080/a@b',
    '-----BEGIN CERTIFICATE-----\nMIIabc\n-----END CERTIFICATE-----',
    'commit 4040aaa1f00dcafe4040aaa1f00dcafe4040aaa1',
  ])('leaves %s as it is', (text) => {
    expect(maskSecrets(text)).toBe(text);
  });

  test('changes nothing that it has masked already', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom('token=', 'Bearer ', '://a:', ''), (text, name) => {
        const masked = maskSecrets(`${text}${name}${text}`);
        expect(maskSecrets(masked)).toBe(masked);
      }),
    );
  });
});
