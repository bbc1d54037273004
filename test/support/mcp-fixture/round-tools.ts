import {
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  inputResponse,
} from '@modelcontextprotocol/server';
import type {
  ClientCapabilities,
  InputRequest,
  InputResponseView,
} from '@modelcontextprotocol/server';
import { textResult } from './fixture-tool.ts';
import type { FixtureCall, FixtureTool } from './fixture-tool.ts';

/** A question for the user with one field. */
export function askFor(message: string, field: string, type: 'string' | 'boolean'): InputRequest {
  const properties = { [field]: type === 'string' ? { type } : { type } };
  const requestedSchema = { type: 'object' as const, properties, required: [field] };
  return inputRequired.elicit({ message, requestedSchema });
}

/** A question for the client's model. */
function askModel(text: string): InputRequest {
  const messages = [{ role: 'user' as const, content: { type: 'text' as const, text } }];
  return inputRequired.createMessage({ messages, maxTokens: 100 });
}

/** Tools that are called several times before they have an answer, as the revision 2026-07-28 has it. */
export const roundTools: readonly FixtureTool[] = [
  {
    name: 'test_input_required_result_elicitation',
    description: 'Greets the user after asking for the name',
    run: (call) => {
      const answer = answerTo(call, 'user_name');
      if (answer.kind === 'elicit')
        return textResult(`Hello, ${String(answer.content?.['name'])}!`);
      const question = askFor('What is your name?', 'name', 'string');
      return inputRequired({ inputRequests: { user_name: question } });
    },
  },
  {
    name: 'test_input_required_result_sampling',
    description: 'Tells what the model says of a capital',
    run: (call) => {
      const answer = answerTo(call, 'capital_question');
      if (answer.kind === 'sampling') return textResult(JSON.stringify(answer.result.content));
      const question = askModel('What is the capital of France?');
      return inputRequired({ inputRequests: { capital_question: question } });
    },
  },
  {
    name: 'test_input_required_result_list_roots',
    description: 'Tells the roots of the client',
    run: (call) => {
      const answer = answerTo(call, 'client_roots');
      if (answer.kind === 'roots') return textResult(answer.roots.map(({ uri }) => uri).join('\n'));
      return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
    },
  },
  {
    name: 'test_input_required_result_request_state',
    description: 'Remembers through the client that it asked',
    run: confirmWithState,
  },
  {
    name: 'test_input_required_result_tampered_state',
    description: 'Refuses what it did not sign',
    run: confirmWithState,
  },
  {
    name: 'test_input_required_result_multiple_inputs',
    description: 'Asks the user, the model and the client at once',
    run: async (call) => {
      const keys = ['user_name', 'greeting', 'client_roots'];
      if (keys.every((key) => answerTo(call, key).kind !== 'missing')) {
        return textResult('All three answered');
      }
      return inputRequired({
        inputRequests: {
          user_name: askFor('What is your name?', 'name', 'string'),
          greeting: askModel('Generate a greeting'),
          client_roots: inputRequired.listRoots(),
        },
        requestState: await call.states.mint({ round: 1 }),
      });
    },
  },
  {
    name: 'test_input_required_result_multi_round',
    description: 'Asks twice, one question after the other',
    run: async (call) => {
      const round = (stateOf(call)?.round ?? 0) + 1;
      if (round > 2) return textResult('Both questions are answered');
      const question =
        round === 1
          ? askFor('Step 1: What is your name?', 'name', 'string')
          : askFor('Step 2: What is your favorite color?', 'color', 'string');
      const requestState = await call.states.mint({ round });
      return inputRequired({ inputRequests: { [`step${round}`]: question }, requestState });
    },
  },
  {
    name: 'test_input_required_result_capabilities',
    description: 'Asks only what the client can answer',
    run: (call) => {
      if (Object.keys(call.context.mcpReq.inputResponses ?? {}).length > 0) {
        return textResult('Answered');
      }
      const question = hasModel(call) ? askModel('Who?') : askFor('Who?', 'name', 'string');
      return inputRequired({ inputRequests: { question } });
    },
  },
];

/** Asks once, and says whether the state came back. */
async function confirmWithState(call: FixtureCall) {
  if (stateOf(call)?.round === 1 && answerTo(call, 'confirm').kind === 'elicit') {
    return textResult('state-ok');
  }
  return inputRequired({
    inputRequests: { confirm: askFor('Please confirm', 'ok', 'boolean') },
    requestState: await call.states.mint({ round: 1 }),
  });
}

const answerTo = ({ context }: FixtureCall, key: string): InputResponseView =>
  inputResponse(context.mcpReq.inputResponses, key);

/** What was signed in the round before: the server has checked it by now. */
const stateOf = ({ context }: FixtureCall): { readonly round: number } | undefined =>
  context.mcpReq.requestState<{ readonly round: number }>();

/** Whether this request says that the client has a model. */
function hasModel({ context }: FixtureCall): boolean {
  const envelope: Readonly<Record<string, unknown>> = context.mcpReq.envelope ?? {};
  const can = envelope[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined;
  return can?.sampling !== undefined;
}
