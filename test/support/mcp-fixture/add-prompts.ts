import { completable, inputRequired, inputResponse } from '@modelcontextprotocol/server';
import type {
  GetPromptResult,
  McpServer,
  PromptMessage,
  RegisteredPrompt,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import { askFor } from './round-tools.ts';
import { PNG } from './sample-media.ts';

const CITIES = ['paris', 'park', 'party', 'test', 'testing'];
const startingWith = (value: string): string[] => CITIES.filter((city) => city.startsWith(value));

/** Gives a server the prompts of the fixture, and returns the one that comes and goes. */
export function addPrompts(server: McpServer): RegisteredPrompt {
  server.registerPrompt('test_simple_prompt', { description: 'Says one thing' }, () =>
    prompt(userText('This is a simple prompt for testing.')),
  );
  server.registerPrompt(
    'test_prompt_with_arguments',
    {
      description: 'Says what it is given',
      argsSchema: z.object({
        arg1: completable(z.string().describe('First test argument'), startingWith),
        arg2: completable(z.string().describe('Second test argument'), startingWith),
      }),
    },
    ({ arg1, arg2 }) => prompt(userText(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    {
      description: 'Shows a resource',
      argsSchema: z.object({ resourceUri: z.string().describe('URI of the resource to embed') }),
    },
    ({ resourceUri: uri }) => {
      const resource = {
        uri,
        mimeType: 'text/plain',
        text: 'Embedded resource content for testing.',
      };
      return prompt(
        { role: 'user', content: { type: 'resource', resource } },
        userText('Please process the embedded resource above.'),
      );
    },
  );
  server.registerPrompt('test_prompt_with_image', { description: 'Shows a picture' }, () =>
    prompt(
      { role: 'user', content: { type: 'image', data: PNG, mimeType: 'image/png' } },
      userText('Please analyze the image above.'),
    ),
  );
  server.registerPrompt(
    'test_input_required_result_prompt',
    { description: 'Asks the user before it says anything' },
    ({ mcpReq }) => {
      const answer = inputResponse(mcpReq.inputResponses, 'user_context');
      if (answer.kind === 'elicit') {
        return prompt(userText(`In this context: ${String(answer.content?.['context'])}`));
      }
      const question = askFor('What context should the prompt use?', 'context', 'string');
      return inputRequired({ inputRequests: { user_context: question } });
    },
  );
  return server.registerPrompt('test_changing_prompt', { description: 'Is not always there' }, () =>
    prompt(userText('Here I am')),
  );
}

const userText = (text: string): PromptMessage => ({
  role: 'user',
  content: { type: 'text', text },
});

const prompt = (...messages: PromptMessage[]): GetPromptResult => ({ messages });
