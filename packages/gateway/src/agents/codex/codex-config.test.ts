import { expect, test } from 'vitest';
import { readCodexConfig } from './codex-config.ts';

test('reads what Codex and people write of hooks', () => {
  const config = readCodexConfig(
    [
      'model = "gpt-5.5" # [hooks.PreToolUse]',
      'notes = "hooks = 1"',
      '[features]',
      '  codex_hooks = true',
      '[hooks.state]',
      `'/a b/hooks.json:stop:0:0'.enabled = false`,
      '[hooks.state."C:\\\\u#=\\\\hooks.json:pre_tool_use:0:0"]',
      'trusted_hash="sha256:1"  # mine',
      '[projects."/home/me"]\r',
      "trust_level = 'trusted'\r",
      '[projects."/tmp"]',
      'trust_level = "untrusted"',
    ].join('\n'),
  );

  expect(config).toEqual({
    hasHooks: false,
    isOff: false,
    trusted: new Map([['C:\\u#=\\hooks.json:pre_tool_use:0:0', 'sha256:1']]),
    disabled: new Set(['/a b/hooks.json:stop:0:0']),
    projects: new Set(['/home/me']),
  });
});

test.for([
  '[[hooks.PreToolUse]]\nmatcher = "Bash"',
  '[hooks]\nStop = []',
  'hooks = { Stop = [] }',
  'hooks.Stop = []',
])('finds the hooks in %s', (text) => {
  expect(readCodexConfig(text).hasHooks).toBe(true);
});

test('finds none in what is no TOML', () => {
  expect(readCodexConfig('').hasHooks).toBe(false);
  expect(readCodexConfig('{"hooks": 1}\n[\n[[\n"hooks\n=1\nhooks').hasHooks).toBe(false);
});
