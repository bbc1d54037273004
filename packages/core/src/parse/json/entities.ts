export const ENTITY_QUOTE = '&quot;';

const NAMED: Readonly<Record<string, string>> = {
  '&quot;': '"',
  '&#34;': '"',
  '&apos;': "'",
  '&#39;': "'",
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
};

/** Undoes HTML escaping; used only inside strings that were delimited by `&quot;` themselves. */
export function decodeEntities(text: string): string {
  return text.replace(/&(?:quot|apos|lt|gt|amp|#34|#39);/g, (entity) => NAMED[entity] ?? entity);
}
