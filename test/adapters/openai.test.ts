import { nativeDefects } from '../support/native-defects.ts';
import { responsesDefects } from '../support/responses-defects.ts';
import { describeAdapter } from './adapter-suite.case.ts';
import { CHAT_CLIENTS, RESPONSES_CLIENTS } from './openai-clients.ts';

describeAdapter('a wrapped OpenAI client', {
  clients: CHAT_CLIENTS,
  protocol: 'chat',
  finish: { calls: 'tool_calls', stop: 'stop', length: 'length' },
  defects: nativeDefects,
});

describeAdapter('a wrapped OpenAI client, in Responses', {
  clients: RESPONSES_CLIENTS,
  protocol: 'responses',
  finish: { calls: 'completed', stop: 'completed', length: 'incomplete' },
  defects: responsesDefects,
  // `responses.stream` wants to be told that the response was created.
  refused: ['no-created'],
});
