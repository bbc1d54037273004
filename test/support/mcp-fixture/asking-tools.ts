import { inputRequired, inputResponse } from '@modelcontextprotocol/server';
import type { ElicitInputParams } from '@modelcontextprotocol/server';
import { objectSchema, textResult } from './fixture-tool.ts';
import type { FixtureCall, FixtureTool, ToolAnswer } from './fixture-tool.ts';

type FormSchema = ElicitInputParams['requestedSchema'];

const userForm: FormSchema = {
  type: 'object',
  properties: {
    username: { type: 'string', description: 'Who you are' },
    email: { type: 'string', description: 'Where mail reaches you' },
  },
  required: ['username', 'email'],
};

const formWithDefaults: FormSchema = {
  type: 'object',
  properties: {
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
  },
};

const options = ['option1', 'option2', 'option3'];
const titled = [
  { const: 'value1', title: 'First' },
  { const: 'value2', title: 'Second' },
];

const formWithChoices: FormSchema = {
  type: 'object',
  properties: {
    untitledSingle: { type: 'string', enum: options },
    titledSingle: { type: 'string', oneOf: titled },
    legacyEnum: { type: 'string', enum: ['opt1', 'opt2'], enumNames: ['One', 'Two'] },
    untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
    titledMulti: { type: 'array', items: { anyOf: titled } },
  },
};

/**
 * Tools that ask the client something and answer with what it said. They are written for the newer revision;
 * towards a client of the older one, the SDK asks by requests of its own and then runs them again.
 */
export const askingTools: readonly FixtureTool[] = [
  {
    name: 'test_sampling',
    description: "Asks the client's model",
    inputSchema: objectSchema({ prompt: { type: 'string', description: 'What to ask' } }),
    run: ({ args, context }) => {
      const answer = inputResponse(context.mcpReq.inputResponses, 'answer');
      if (answer.kind === 'sampling') {
        return textResult(`LLM response: ${JSON.stringify(answer.result.content)}`);
      }
      const content = { type: 'text', text: String(args['prompt']) } as const;
      const params = { messages: [{ role: 'user' as const, content }], maxTokens: 100 };
      return inputRequired({ inputRequests: { answer: inputRequired.createMessage(params) } });
    },
  },
  {
    name: 'test_elicitation',
    description: 'Asks the user for a name and an address',
    inputSchema: objectSchema({ message: { type: 'string', description: 'What to ask' } }),
    run: (call) => askUser(call, String(call.args['message']), userForm),
  },
  {
    name: 'test_elicitation_sep1034_defaults',
    description: 'Asks the user with a form that has defaults',
    run: (call) => askUser(call, 'Please check these', formWithDefaults),
  },
  {
    name: 'test_elicitation_sep1330_enums',
    description: 'Asks the user with a form that has choices of every kind',
    run: (call) => askUser(call, 'Please choose', formWithChoices),
  },
  {
    name: 'test_streaming_elicitation',
    description: 'Asks the user in the middle of a stream',
    run: (call) => askUser(call, 'Go on?', { type: 'object', properties: {} }),
  },
  {
    name: 'test_missing_capability',
    description: "Cannot work without the client's model",
    run: ({ context }) => {
      if (inputResponse(context.mcpReq.inputResponses, 'answer').kind === 'sampling') {
        return textResult('There is a model');
      }
      const params = { messages: [], maxTokens: 1 };
      return inputRequired({ inputRequests: { answer: inputRequired.createMessage(params) } });
    },
  },
];

/** Shows a form, and answers with what the user did with it. */
function askUser(
  { context }: FixtureCall,
  message: string,
  requestedSchema: FormSchema,
): ToolAnswer {
  const answer = inputResponse(context.mcpReq.inputResponses, 'form');
  if (answer.kind === 'elicit') {
    const content = JSON.stringify(answer.content ?? {});
    return textResult(`Elicitation completed: action=${answer.action}, content=${content}`);
  }
  const form = inputRequired.elicit({ message, requestedSchema });
  return inputRequired({ inputRequests: { form } });
}
