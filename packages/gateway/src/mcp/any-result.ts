import type { JsonObject } from '@holdfast/core';
import type { StandardSchemaV1 } from '@modelcontextprotocol/client';

/** Lets results pass as they are: what a newer peer says more than we know is none of our business. */
export const ANY_RESULT: StandardSchemaV1<JsonObject> = {
  '~standard': {
    version: 1,
    vendor: 'holdfast',
    validate: (value) => ({ value: value as JsonObject }),
  },
};
