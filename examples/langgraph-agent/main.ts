// An agent of LangChain, on LangGraph, in front of a model that writes its calls as text; its tool is down.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { toolCallMiddleware } from '@holdfast/core/langchain';
import { ChatOpenAI } from '@langchain/openai';
import { createAgent, createMiddleware, tool } from 'langchain';

// Stands for LM Studio, Ollama, llama.cpp or vLLM: it calls once, and then says what it was told.
const CALL = '<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}</tool_call>';
let answers = 0;
const server = createServer((request, response) => {
  void text(request).then((body) => {
    const { messages } = JSON.parse(body) as { messages: { role: string; content: string }[] };
    const last = messages.at(-1);
    const content = last?.role === 'tool' ? `I was told: ${last.content}` : CALL;
    const choice = { index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ id: `answer-${++answers}`, choices: [choice] }));
  });
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;

let asked = 0;
const getWeather = tool(
  () => {
    asked++;
    throw new Error('503 Service Unavailable');
  },
  {
    name: 'get_weather',
    description: 'Tells the weather of a city.',
    schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
);

const agent = createAgent({
  model: new ChatOpenAI({ model: 'local', apiKey: 'none', configuration: { baseURL } }),
  tools: [getWeather],
  middleware: [createMiddleware(toolCallMiddleware())],
});

let said = '';
for (let question = 1; question <= 6; question++) {
  const { messages } = await agent.invoke({ messages: 'What is the weather in Oslo?' });
  said = (messages.at(-1)?.text ?? '').replace(/before \S+ \(in \d+ s\)/, 'before … (in 60 s)');
  if (question === 1 || question === 6) console.log(`${question}: ${said}`);
}
assert.match(said, /get_weather was not called/);
assert.equal(asked, 5, 'the circuit opened after five failures');
server.close();
