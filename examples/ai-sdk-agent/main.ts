// An agent of the AI SDK in front of a model that writes its calls as text, with a tool that fails once.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { guardTools, repairToolCall, toolCallMiddleware } from '@holdfast/core/ai-sdk';
import { generateText, jsonSchema, stepCountIs, tool, wrapLanguageModel } from 'ai';

// Stands for LM Studio, Ollama, llama.cpp or vLLM: it calls once, and then says what it was told.
const CALL = "<tool_call>{'name': 'get_weather', 'arguments': {'city': 'Oslo'}}</tool_call>";
const server = createServer((request, response) => {
  void text(request).then((body) => {
    const { messages } = JSON.parse(body) as { messages: { role: string; content: string }[] };
    const last = messages.at(-1);
    const content = last?.role === 'tool' ? `It is ${last.content} in Oslo.` : CALL;
    const choice = { index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ choices: [choice] }));
  });
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;

const model = wrapLanguageModel({
  model: createOpenAICompatible({ name: 'local', baseURL }).chatModel('local'),
  middleware: toolCallMiddleware(),
});

let asked = 0;
const tools = guardTools(
  {
    get_weather: tool({
      description: 'Tells the weather of a city.',
      inputSchema: jsonSchema<{ city: string }>({
        type: 'object',
        properties: { city: { type: 'string' } },
        required: ['city'],
      }),
      execute: ({ city }) => {
        console.log(`get_weather(${city}), time ${++asked}`);
        if (asked === 1) throw Object.assign(new Error('reset'), { code: 'ECONNRESET' });
        return 'sunny';
      },
    }),
  },
  { toolSettings: { get_weather: { annotations: { readOnlyHint: true } } } },
);

const prompt = 'What is the weather in Oslo?';
const settings = { model, tools, prompt, stopWhen: stepCountIs(3) };
const answer = await generateText({ ...settings, experimental_repairToolCall: repairToolCall });
console.log(answer.text);
assert.equal(answer.text, 'It is sunny in Oslo.');
assert.equal(asked, 2, 'a tool that only reads is tried again');
server.close();
