// An agent whose model repeats a failing command: it is nudged, then stopped, and goes on when it tries something else.
import assert from 'node:assert/strict';
import { createToolRunner, parseToolCalls } from '@holdfast/core';
import { Advisor } from '@holdfast/core/advise';

/** What the model says, turn by turn. */
const turns = ['npm run biuld', 'npm run biuld', 'npm run biuld', 'npm run', 'npm run build'].map(
  (command) => `<tool_call>${JSON.stringify({ name: 'bash', arguments: { command } })}</tool_call>`,
);

let ran = 0;
const runner = createToolRunner({
  // Nobody watches this agent, so what only repeats a failure is not run again.
  advisor: new Advisor({ veto: 'on' }),
  tools: [
    {
      name: 'bash',
      parameters: { type: 'object', properties: { command: { type: 'string' } } },
      execute: ({ command }) => {
        ran++;
        if (command === 'npm run') return { exitCode: 0, output: 'build\n  tsc -b' };
        if (command === 'npm run build') return { exitCode: 0, output: 'built' };
        return {
          isError: true,
          content: [{ type: 'text', text: 'npm error Missing script: "biuld"' }],
        };
      },
    },
  ],
});

for (const answer of turns) {
  for (const call of parseToolCalls(answer).calls) {
    console.log(`$ ${JSON.stringify(call.arguments)}`);
    const outcome = await runner.run(call);
    console.log(outcome.ok ? JSON.stringify(outcome.value) : outcome.message);
    if (outcome.advice !== undefined) console.log(outcome.advice.text);
    console.log();
  }
}

assert.equal(ran, 4, 'the third time it was not run');
