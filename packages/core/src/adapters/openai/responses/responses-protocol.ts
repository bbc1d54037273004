import { toolDefinitions } from '../../../internal/tool-definitions.ts';
import { requiresJson } from '../../reading/requires-json.ts';
import { listOf, objectOf, textOf } from '../../wire/json-fields.ts';
import type { WireProtocol } from '../../wire/wire-protocol.ts';
import { adviseInput } from './advise-input.ts';
import { mendWholeResponse } from './mend-whole-response.ts';
import { ResponseEventMender } from './response-event-mender.ts';

/** OpenAI's Responses. Of its tools, the plain functions are looked for. */
export const responsesProtocol: WireProtocol = {
  path: '/responses',
  contextOf: (body) => ({
    model: textOf(body['model']),
    requiresJson: requiresJson(body),
    tools:
      body['tool_choice'] === 'none'
        ? []
        : toolDefinitions(
            listOf(body['tools']).filter((tool) => objectOf(tool)['type'] === 'function'),
            'skip',
          ),
  }),
  advise: adviseInput,
  mend: mendWholeResponse,
  openMender: (context, options) => new ResponseEventMender(context, options),
};
