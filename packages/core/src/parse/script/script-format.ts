import type { Format, Opening } from '../format.ts';
import type { BlockScript } from './script.ts';
import { ScriptReader } from './script-reader.ts';

/** A format whose blocks are read by a script. `declines` may say from a look that an opening is none. */
export function scriptFormat(
  openings: readonly (Opening | string)[],
  script: BlockScript,
  declines?: Format['declines'],
): Format {
  return {
    openings: openings.map((opening) =>
      typeof opening === 'string' ? { text: opening } : opening,
    ),
    createReader: (opening, context) => new ScriptReader(script, opening, context),
    ...(declines === undefined ? {} : { declines }),
  };
}
