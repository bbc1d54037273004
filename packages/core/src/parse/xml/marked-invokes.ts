import type { Format } from '../format.ts';
import { scriptFormat } from '../script/script-format.ts';
import { readInvokeBlock, readLoneInvokes } from './invoke-block.ts';
import type { InvokeDialect } from './invoke-dialect.ts';
import { InvokeTags } from './invoke-tags.ts';
import { readingByType, readingOfJson, readingOfString } from './parameter-reading.ts';

/** A dialect of `<TOKENinvoke name="f"><TOKENparameter name="k" string="true">v…`. */
export interface MarkedInvokes {
  /** What every name of a tag begins with, in all spellings. */
  readonly marks: readonly string[];
  /** The names of the tag around the calls. */
  readonly wrappers: readonly string[];
  /** How a value is read that does not say whether it is a string. @defaultValue by its schema */
  readonly reading?: InvokeDialect['reading'];
}

/** Reads calls whose parameters declare whether they are strings, with the tag around the calls and without. */
export function markedInvokeFormats(options: MarkedInvokes): readonly Format[] {
  const { marks, wrappers, reading = readingByType } = options;
  const wrapper = marks.flatMap((mark) => wrappers.map((name) => mark + name));
  const invoke = marks.map((mark) => `${mark}invoke`);
  const dialect: InvokeDialect = {
    tags: new InvokeTags({
      wrapper,
      invoke,
      parameter: marks.map((mark) => `${mark}parameter`),
      // DeepSeek V4 sometimes omits the token in closing tags.
      otherInvokeCloses: ['</invoke>'],
      otherWrapperCloses: wrappers.map((name) => `</${name}>`),
    }),
    reading: (context, tool, key, attributes) => {
      const isString = attributes.get('string')?.toLowerCase();
      if (isString === 'true') return readingOfString(context, tool, key);
      return (isString === 'false' ? readingOfJson : reading)(context, tool, key, attributes);
    },
  };
  return [
    scriptFormat(
      wrapper.map((name) => `<${name}>`),
      (input) => readInvokeBlock(input, dialect),
    ),
    // Some answers omit the tag around the calls.
    scriptFormat(
      invoke.map((name) => `<${name}`),
      (input, opening) => readLoneInvokes(input, dialect, opening.text),
    ),
  ];
}
