import type { JsonObject } from '@holdfast/core';
import { ID } from './invoke-schemas.ts';

/** What both hooks take. */
export const EXECUTE_CALL: JsonObject = {
  conversation_id: {
    ...ID,
    description: 'The conversation: what is remembered of it stays here. This, or data.',
  },
  data: {
    type: 'object',
    description:
      'What is remembered of the conversation, for clients that keep it: the data of the last answer, {} at first.',
  },
  tool_name: ID,
  call_id: { ...ID, description: 'Brings before and after together where calls run side by side.' },
};

/** What both answer to a client that brings its data. */
export const TOLD_DATA: JsonObject = {
  data: { type: 'object', description: 'Send it with the next call. Only where data was sent.' },
};
