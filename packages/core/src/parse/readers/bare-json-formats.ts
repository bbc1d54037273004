import type { Format, ReadContext } from '../format.ts';
import type { OfferedTools } from '../offered-tools.ts';
import { HeadedReader } from './headed-reader.ts';
import type { FindHead } from './headed-reader.ts';
import type { JsonBodyOptions } from './json-body-options.ts';
import { JsonBodyReader } from './json-body-reader.ts';
import { jsonHead } from './json-head.ts';

export interface BareJson {
  /** What it begins with. @defaultValue either */
  readonly bracket?: '{' | '[';
  /** Keys the first object may begin with: JSON that begins otherwise is let go at once. */
  readonly firstKeys: ReadonlySet<string>;
  /** What the value of that key may begin with. @defaultValue anything */
  readonly valueStarts?: string;
  readonly options: (context: ReadContext) => JsonBodyOptions;
  /** Whether JSON whose first key is right can still be a call, as far as its beginning tells. */
  readonly looksOn?: LooksOn;
}

type LooksOn = (
  text: string,
  at: number,
  tools: OfferedTools | undefined,
) => 'yes' | 'no' | 'unclear';

/** JSON that stands in the text with no marker around it, or in a Markdown fence, which then belongs to it. */
export function bareJsonFormats(json: BareJson): readonly Format[] {
  const { bracket, options, looksOn, ...keys } = json;
  const brackets = bracket === undefined ? ['{', '['] : [bracket];
  const head = jsonHead({ ...keys, brackets });
  const fencedHead = jsonHead({ ...keys, brackets, isFenced: true });
  const bare: Format = {
    openings: brackets.map((text) => ({ text, bodyFrom: 0 })),
    declines: (text, bodyAt, tools) => further(head, looksOn, tools)(text, bodyAt) === 'no',
    createReader: (_opening, context) => {
      const findHead = further(head, looksOn, context.tools);
      return new HeadedReader(findHead, new JsonBodyReader(options(context), context));
    },
  };
  const fenced: Format = {
    openings: [{ text: '```', at: 'line-start' }],
    declines: (text, bodyAt, tools) => further(fencedHead, looksOn, tools)(text, bodyAt) === 'no',
    createReader: (_opening, context) => {
      const findHead = further(fencedHead, looksOn, context.tools);
      const body = { ...options(context), endMarker: '```' };
      return new HeadedReader(findHead, new JsonBodyReader(body, context));
    },
  };
  return [bare, fenced];
}

/** Finds what `head` finds, if looking on does not speak against it. */
function further(
  head: FindHead,
  looksOn: LooksOn | undefined,
  tools: OfferedTools | undefined,
): FindHead {
  if (looksOn === undefined) return head;
  return (text, from) => {
    const at = head(text, from);
    if (typeof at === 'string') return at;
    const verdict = looksOn(text, at, tools);
    return verdict === 'yes' ? at : verdict;
  };
}
