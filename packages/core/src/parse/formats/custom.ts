import { FormatParser } from '../format-parser.ts';
import type { ParseLimits } from '../limits.ts';

/** The place for a user's own formats when a registry is built by hand: it has those it is given. */
export class CustomToolParser extends FormatParser {
  constructor(formats: readonly FormatParser[] = [], limits?: Partial<ParseLimits>) {
    super({
      name: 'custom',
      formats: formats.flatMap((parser) => parser.formats),
      sample: formats[0]?.sample ?? '',
      limits,
    });
  }
}
