// A server whose model writes its calls as text, asked directly and through `holdfast proxy`.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

const said =
  'I will look.\n<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"\n</tool_call>';
const message = { role: 'assistant', content: said };

// Stands for LM Studio, Ollama, llama.cpp or vLLM.
const server = createServer((_request, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }] }));
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const direct = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const cli = fileURLToPath(new URL('../../packages/gateway/src/cli/main.ts', import.meta.url));
const args = [...process.execArgv, cli, 'proxy', '--upstream', `${direct}/v1`, '--port', '0'];
const gateway = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
const [greeting] = (await once(gateway.stdout, 'data')) as [Buffer];
const through = /http:\S+/.exec(greeting.toString())?.[0] ?? '';

interface Answer {
  readonly choices: readonly {
    readonly finish_reason: string;
    readonly message: {
      readonly content: string | null;
      readonly tool_calls?: readonly { readonly function: { readonly arguments: string } }[];
    };
  }[];
}

const parameters = { type: 'object', properties: { city: { type: 'string' } } };
async function ask(url: string): Promise<Answer['choices'][number] | undefined> {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'local',
      messages: [{ role: 'user', content: 'What is the weather in Oslo?' }],
      tools: [{ type: 'function', function: { name: 'get_weather', parameters } }],
    }),
  });
  const [choice] = ((await response.json()) as Answer).choices;
  console.log(choice?.finish_reason, JSON.stringify(choice?.message.content));
  return choice;
}

assert.equal((await ask(direct))?.message.tool_calls, undefined);
const mended = (await ask(through))?.message.tool_calls?.[0]?.function;
console.log(mended);
assert.equal(mended?.arguments, '{"city":"Oslo"}');
gateway.kill();
server.close();
