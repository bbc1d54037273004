import { newElement } from './nested-element.ts';
import type { NestedElement } from './nested-element.ts';

const TAG = /<(\/?)([\w.-]{1,128})\s*(\/?)>/y;
const SECTION = '<![CDATA[';

/**
 * The elements that a text is made of, under one without a name; undefined when it is not made of elements
 * only: text stands between them, or one is not closed.
 */
export function elementsIn(text: string, maxDepth: number): NestedElement | undefined {
  const root = newElement('');
  const open = [root];
  let at = 0;
  while (at < text.length) {
    const here = open.at(-1);
    if (here === undefined) return undefined;
    if (text.startsWith(SECTION, at)) {
      const end = text.indexOf(']]>', at);
      if (end < 0) return undefined;
      here.text += text.slice(at + SECTION.length, end);
      at = end + 3;
      continue;
    }
    TAG.lastIndex = at;
    const tag = TAG.exec(text);
    if (tag === null) {
      const next = text.indexOf('<', at + 1);
      here.text += text.slice(at, next < 0 ? text.length : next);
      at = next < 0 ? text.length : next;
      continue;
    }
    at = TAG.lastIndex;
    const [, closing, name = '', empty] = tag;
    if (closing === '/') {
      if (here.name !== name || open.length === 1) return undefined;
      open.pop();
      continue;
    }
    const child = newElement(name);
    here.children.push(child);
    if (empty === '/') continue;
    if (open.length >= maxDepth) return undefined;
    open.push(child);
  }
  const isMade = open.length === 1 && root.children.length > 0 && root.text.trim() === '';
  return isMade ? root : undefined;
}
