import { messagesDefects } from '../support/messages-defects.ts';
import { nativeDefects } from '../support/native-defects.ts';
import { responsesDefects } from '../support/responses-defects.ts';
import { describeAdapter } from './adapter-suite.case.ts';
import {
  LANGCHAIN_ANTHROPIC_CLIENTS,
  LANGCHAIN_CLIENTS,
  LANGCHAIN_RESPONSES_CLIENTS,
  LANGCHAIN_STREAMED_INSIDE,
} from './langchain-clients.ts';

describeAdapter('a wrapped chat model of LangChain', {
  clients: LANGCHAIN_CLIENTS,
  protocol: 'chat',
  finish: { calls: 'tool_calls', stop: 'stop', length: 'length' },
  defects: nativeDefects,
});

describeAdapter('a wrapped chat model of LangChain, in Responses', {
  clients: LANGCHAIN_RESPONSES_CLIENTS,
  protocol: 'responses',
  finish: { calls: 'completed', stop: 'completed', length: 'incomplete' },
  defects: responsesDefects,
  // ChatOpenAI does not tell of a response that failed: it is seen to end, with all that was streamed.
  refused: ['failed', 'error-in-the-stream', 'no-completed'],
});

/** ChatAnthropic reads counts and names without looking, and takes no input but in deltas. */
const REFUSED = [
  'no-event-names',
  'no-usage-at-the-start',
  'no-usage-at-the-end',
  'whole-input-in-the-block',
];

const anthropic = {
  protocol: 'messages',
  finish: { calls: 'tool_use', stop: 'end_turn', length: 'max_tokens' },
  defects: messagesDefects,
} as const;

describeAdapter('a wrapped ChatAnthropic', {
  ...anthropic,
  clients: LANGCHAIN_ANTHROPIC_CLIENTS,
  refused: REFUSED,
});

describeAdapter('a wrapped ChatAnthropic that streams inside', {
  ...anthropic,
  clients: LANGCHAIN_STREAMED_INSIDE,
  // LangChain goes by the index alone.
  refused: [...REFUSED, 'two-blocks-on-index-0'],
});
