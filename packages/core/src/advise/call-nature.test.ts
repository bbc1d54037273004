import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../types.ts';
import { natureOf } from './call-nature.ts';

describe('a call', () => {
  test.each<[string, JsonObject, boolean]>([
    ['edit_file', {}, true],
    ['write_file', {}, true],
    ['create_issue', {}, true],
    ['sendMessage', {}, true],
    ['read_file', {}, false],
    ['search', {}, false],
    ['lookup', {}, false],
    ['http_request', { method: 'GET' }, false],
    ['http_request', { method: 'post' }, true],
    ['bash', {}, true],
    ['bash', { command: 'ls -la src | head -5' }, false],
    ['bash', { command: 'cd src && cat a.ts 2>/dev/null' }, false],
    ['bash', { command: 'grep -rn "x > y" src' }, true],
    ['bash', { command: 'cat a > b' }, true],
    ['bash', { command: 'echo hi >> log' }, true],
    ['bash', { command: 'sed -n 1,20p a' }, false],
    ['bash', { command: 'sed -i s/a/b/ a' }, true],
    ['bash', { command: 'find . -name a' }, false],
    ['bash', { command: 'find . -name a -delete' }, true],
    ['bash', { command: 'git status' }, false],
    ['bash', { command: 'git commit -m x' }, true],
    ['bash', { command: 'git log --oneline && git push' }, true],
    ['bash', { command: 'curl http://x/' }, false],
    ['bash', { command: 'curl -X POST http://x/' }, true],
    ['bash', { command: ['ls', '-la'] }, false],
    ['bash', { command: 'npm install' }, true],
    ['bash', { command: 'python fix.py' }, true],
    ['code_execution_tool', { runtime: 'python', code: 'open("x","w").write("y")' }, true],
  ])('of %s with %j changes something: %s', (tool, args, changes) => {
    expect(natureOf({ tool, arguments: args }).changes).toBe(changes);
  });

  test.each<[string, JsonObject, boolean]>([
    ['get_status', {}, true],
    ['jobPoll', {}, true],
    ['wait_for', {}, true],
    ['browser_press_key', {}, true],
    ['process', { action: 'poll' }, true],
    ['code_execution_tool', { runtime: 'output' }, true],
    ['code_execution_tool', { runtime: 'terminal', code: 'ls' }, false],
    ['read_file', {}, false],
    ['bash', { command: 'sleep 5; cat log' }, true],
    ['bash', { command: 'kubectl get pods' }, true],
    ['bash', { command: 'curl -s localhost:3000/health' }, true],
    ['bash', { command: 'git status' }, false],
    ['bash', { command: 'cat status.txt' }, false],
  ])('of %s with %j may be repeated: %s', (tool, args, mayRepeat) => {
    expect(natureOf({ tool, arguments: args }).mayRepeat).toBe(mayRepeat);
  });

  test('is what the settings say', () => {
    const nature = { kind: 'api', changes: true, mayRepeat: true } as const;
    expect(natureOf({ tool: 'read_file' }, nature)).toEqual(nature);
  });
});
