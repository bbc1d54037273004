import { startsMarker } from './string-end.ts';

/** Quotes as HTML escapes them. */
const QUOTES = ['&quot;', '&#34;', '&#39;', '&apos;'] as const;

const ENTITIES: Readonly<Record<string, string>> = {
  '&quot;': '"',
  '&#34;': '"',
  '&apos;': "'",
  '&#39;': "'",
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
};

/** The escaped quote at `at`, `unclear` while only its beginning has arrived, or undefined. */
export function entityQuoteAt(text: string, at: number, ending: boolean): string | undefined {
  let found: string | undefined;
  for (const quote of QUOTES) {
    const start = startsMarker(text, at, quote, ending);
    if (start === 'ends') return quote;
    if (start === 'unclear') found = 'unclear';
  }
  return found;
}

/** Undoes HTML escaping; used only inside strings that were delimited by an escaped quote themselves. */
export function decodeEntities(text: string): string {
  return text.replace(/&(?:quot|apos|lt|gt|amp|#34|#39);/g, (entity) => ENTITIES[entity] ?? entity);
}
