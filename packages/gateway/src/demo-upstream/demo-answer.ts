import { parseToolCalls } from '@holdfast/core/parse';
import { chooseTool } from './choose-tool.ts';
import type { DemoModel } from './demo-models.ts';
import { makeArguments } from './make-arguments.ts';
import type { DemoRequest } from './read-demo-request.ts';

const SENTENCES = [
  'Let me look.',
  'One moment.',
  'I can find that out.',
  'There is a tool for that.',
];
const QUOTED_CHARACTERS = 300;

/** What a model of the demo says to a request, as raw text. `seed` varies its words. */
export function demoAnswer(request: DemoRequest, model: DemoModel, seed: number): string {
  const { last, tools } = request;
  if (last.role === 'tool') return quote(request);
  const tool = chooseTool(last.text, tools);
  if (tool === undefined) return chat(last.text, model.id);
  const call = { name: tool.name, arguments: makeArguments(tool.parameters, last.text) };
  const written = model.write(call, tools);
  const sentence = SENTENCES[seed % SENTENCES.length] ?? '';
  return model.isAlone ? written : `${sentence}\n\n${written}`;
}

/** A result may itself look like a call, and an answer must not make one of it. */
function quote({ last, tools }: DemoRequest): string {
  const result = last.text.slice(0, QUOTED_CHARACTERS).trim();
  const answer = result === '' ? 'The tool returned nothing.' : `The tool says: ${result}`;
  if (parseToolCalls(answer, { tools }).calls.length === 0) return answer;
  return `The tool returned ${last.text.length} characters.`;
}

function chat(message: string, model: string): string {
  const heard = message.slice(0, QUOTED_CHARACTERS);
  return (
    `I am the demo model "${model}" and know nothing, but I can call tools: ` +
    `send a request with some. You said: ${heard}`
  );
}
