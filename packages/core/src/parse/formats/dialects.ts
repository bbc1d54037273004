import type { FormatParser } from '../format-parser.ts';
import { CHANNEL_DIALECTS } from './channel-dialects.ts';
import { HEADER_DIALECTS } from './header-dialects.ts';
import { JSON_DIALECTS } from './json-dialects.ts';
import { PYTHONIC_DIALECTS } from './pythonic-dialects.ts';
import { XML_DIALECTS } from './xml-dialects.ts';

/** A dialect and its place in the default registry. */
export interface Dialect {
  readonly parser: FormatParser;
  readonly priority: number;
}

/** Every dialect but those of the seeds, which are classes. */
export const DIALECTS: readonly Dialect[] = [
  ...CHANNEL_DIALECTS,
  ...HEADER_DIALECTS,
  ...XML_DIALECTS,
  ...PYTHONIC_DIALECTS,
  ...JSON_DIALECTS,
];
