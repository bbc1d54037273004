import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { KEY_SHAPES } from '../../../../test/support/key-shapes.ts';
import { isSecretName, maskSecrets } from './mask-secrets.ts';

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
    ['ocp-apim-subscription-key: 0123456789abcdef', 'ocp-apim-subscription-key: ***'],
    ['{"x-vault-token": "short"}', '{"x-vault-token": "***"}'],
    ['Authorization: Token 0123456789', 'Authorization: Token ***'],
    ['STRIPE_KEY=abc GITHUB_PAT=def DB_PASS=ghi', 'STRIPE_KEY=*** GITHUB_PAT=*** DB_PASS=***'],
    [String.raw`first\ntoken=0123456789`, String.raw`first\ntoken=***`],
    [String.raw`{\"password\": \"correct horse\"}`, String.raw`{\"password\": \"***\"}`],
    [String.raw`{"password": "with \" quote", "user": "me"}`, '{"password": "***", "user": "me"}'],
    ['UID=me;PWD=hunter2;', 'UID=me;PWD=***;'],
    [`"password": "${'x'.repeat(100_000)}"`, '"password": "***"'],
    ['note="password=hunter2"', 'note="password=***"'],
    ['AccountName=me;AccountKey=0123456789==;x', 'AccountName=me;AccountKey=***;x'],
    ['GET /v1/models?key=0123456789abcdef&x=1', 'GET /v1/models?key=***&x=1'],
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
    'PRIMARY_KEY=identifier primary_key: identifier idempotency-key=7f000001',
    'meta-llama/Llama-3.1-8B-Instruct claude-sonnet-4-5-20250929 pplx-70b-online',
    '{"token": 12345678, "max_tokens": 4096, "key": "name-of-a-column"}',
    'the desk-risk-assessment-service and ops_per_second_of_the_disk',
  ])('leaves %s as it is', (text) => {
    expect(maskSecrets(text)).toBe(text);
  });

  test.each(KEY_SHAPES)('masks $name by its shape alone', ({ key }) => {
    const host = key.includes('/') ? 'https://' : '';
    for (const before of ['', 'a/', '"', String.raw`\n`, String.raw`\u0022`, '%0A', '\u001b[31m'])
      for (const after of ['', '"', ' is wrong', String.raw`\n`])
        expect(maskSecrets(before + key + after)).toBe(`${before}${host}***${after}`);
  });

  test('changes nothing that it has masked already', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.constantFrom(
          'token=',
          'Bearer ',
          '://a:',
          '"password": "',
          'secret: ',
          '--token ',
          '\\n',
          '',
        ),
        (text, name) => {
          const masked = maskSecrets(`${text}${name}${text}`);
          expect(maskSecrets(masked)).toBe(masked);
        },
      ),
    );
  });
});

describe('isSecretName', () => {
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
    'ocp-apim-subscription-key',
    'x-vault-token',
    'x-functions-key',
    'x-master-key',
    'STRIPE_KEY',
    'AZURE_DEVOPS_PAT',
    'DB_PASS',
    'DB_PWD',
    'sqlPwd',
    'accountKey',
    'signing_key',
  ])('%s names a secret', (name) => {
    expect(isSecretName(name)).toBe(true);
  });

  test.each([
    'max_tokens',
    'inputTokens',
    'tokenHeaders',
    'author',
    'key',
    'model',
    'tokenizer',
    'primary_key',
    'PRIMARY_KEY',
    'STRIPE_PUBLISHABLE_KEY',
    'sort_key',
    'keyboard',
    'PATH',
    'file_path',
    'pwd',
    'OLDPWD',
    'pat',
    'idempotency-key',
  ])('%s does not', (name) => {
    expect(isSecretName(name)).toBe(false);
  });
});
