import type { JsonObject } from '@holdfast/core';
import type { Refused } from './client-protocol.ts';
import type { NormaliseRules } from './normalise-rules.ts';

/** A request as its upstream gets it, with the rules that changed something. */
export type NormalisedRequest =
  | {
      readonly ok: true;
      readonly body: JsonObject;
      readonly applied: readonly (keyof NormaliseRules)[];
    }
  | Refused;
