import { Circuits } from '../circuits.ts';
import type { CircuitsOptions } from '../circuits/circuits-options.ts';
import { NAMED_CIRCUIT_DEFAULTS, NAMED_CIRCUITS } from './named-circuits.ts';
import { TOOL_CIRCUITS } from './tool-circuits.ts';

/** A registry with the named circuits and the tools that use them. What `options` say goes over it, name by name. */
export function createNamedCircuits(options: CircuitsOptions = {}): Circuits {
  return new Circuits({
    ...options,
    defaults: { ...NAMED_CIRCUIT_DEFAULTS, ...options.defaults },
    overrides: { ...NAMED_CIRCUITS, ...options.overrides },
    tools: { ...TOOL_CIRCUITS, ...options.tools },
  });
}
