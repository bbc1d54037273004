import { createDefaultRegistry, FormatParser } from '@holdfast/core/parse';

/** The names of all formats that read calls. */
export const FORMAT_NAMES: readonly string[] = createDefaultRegistry()
  .list()
  .filter(({ parser }) => parser instanceof FormatParser && parser.formats.length > 0)
  .map(({ name }) => name);
