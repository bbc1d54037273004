import { messagesDefects } from '../support/messages-defects.ts';
import { describeAdapter } from './adapter-suite.case.ts';
import { MESSAGES_CLIENTS } from './anthropic-clients.ts';

describeAdapter('a wrapped Anthropic client', {
  clients: MESSAGES_CLIENTS,
  protocol: 'messages',
  finish: { calls: 'tool_use', stop: 'end_turn', length: 'max_tokens' },
  defects: messagesDefects,
});
