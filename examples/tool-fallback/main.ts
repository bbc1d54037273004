// An agent that keeps reading a file that is not there, and what it hears from the hooks around its tool.
import assert from 'node:assert/strict';
import { registerToolFallback } from '@holdfast/core';
import { HookRegistry, secretsMask } from '@holdfast/core/hooks';
import type { ToolResponse } from '@holdfast/core/hooks';

const files: Readonly<Record<string, string>> = {
  '/home/ada/notes/todo.md': 'Water the plants. password=correct-horse-battery',
};

/** A shell that knows two commands. */
function shell(command: string): ToolResponse {
  const [program = '', argument = ''] = command.split(' ');
  if (program === 'find') return answer(Object.keys(files).join('\n'), 0);
  if (program !== 'cat') return answer(`sh: ${program}: command not found`, 127);
  const content = files[argument];
  return content === undefined
    ? answer(`cat: ${argument}: No such file or directory`, 1)
    : answer(content, 0);
}

function answer(message: string, exitCode: number): ToolResponse {
  return { message, breakLoop: false, additional: { exitCode } };
}

const hooks = new HookRegistry().register('tool_execute_after', '_10_mask_secrets', secretsMask);
registerToolFallback(hooks, { veto: 'on' });

const conversation = new Map<string, unknown>();
const toolName = 'bash';
let stopped = 0;

async function call(command: string): Promise<void> {
  console.log(`$ ${command}`);
  const run = { toolName, toolArgs: { command }, data: conversation };
  const { veto } = await hooks.runBefore(run);
  if (veto !== undefined) {
    stopped++;
    console.log(`${veto.text}\n`);
    return;
  }
  const { response } = await hooks.runAfter({ ...run, response: shell(command) });
  console.log(`${response?.message ?? ''}\n`);
}

await call('cat /home/ada/todo.md');
await call('cat /home/ada/todo.md');
await call('cat /home/ada/todo.md');
await call('find /home/ada -name todo.md');
await call('cat /home/ada/notes/todo.md');

assert.equal(stopped, 1);
