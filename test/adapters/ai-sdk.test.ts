import { nativeDefects } from '../support/native-defects.ts';
import { describeAdapter } from './adapter-suite.case.ts';
import { AI_SDK_CLIENTS } from './ai-sdk-clients.ts';

describeAdapter('the AI SDK with the middleware', {
  clients: AI_SDK_CLIENTS,
  protocol: 'chat',
  finish: { calls: 'tool-calls', stop: 'stop', length: 'length' },
  defects: nativeDefects,
  // The provider takes calls apart before a middleware sees them.
  refused: [
    'no-finish-reason',
    'index-as-text',
    'arguments-as-object',
    'arguments-missing',
    'arguments-null',
    'two-calls-on-index-0',
    'two-calls-on-index-0-in-fragments',
  ],
  asksAgain: true,
});
