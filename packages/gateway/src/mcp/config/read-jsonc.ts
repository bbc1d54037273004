import { TextPosition } from '../../cli/text-position.ts';
import type { ReadYaml } from '../../config/read-yaml.ts';
import type { JsoncNode } from './read-jsonc-tree.ts';
import { NotJsoncError, readJsoncTree } from './read-jsonc-tree.ts';

/** What a JSON text with comments says, and where it says it. */
export type ReadJsonc = ReadYaml;

/** What `readJsoncTree` reads, in the words of the readers of other files. Never throws. */
export function readJsonc(text: string): ReadJsonc {
  const position = new TextPosition(text);
  try {
    const root = readJsoncTree(text);
    return {
      ok: true,
      value: root.value,
      placeOf: (path, isKey) => position.at(offsetOf(root, path, isKey)),
    };
  } catch (error) {
    if (!(error instanceof NotJsoncError)) throw error;
    return { ok: false, problems: [{ ...position.at(error.offset), message: error.message }] };
  }
}

/** Where a value stands, or its key; where there is none, what it is missing from. */
function offsetOf(root: JsoncNode, path: readonly PropertyKey[], isKey: boolean): number {
  let node = root;
  for (const [index, step] of path.entries()) {
    const member = node.members?.find(({ key }) => String(key) === String(step));
    if (member === undefined) break;
    if (isKey && index === path.length - 1) return member.start;
    node = member.node;
  }
  return node.start;
}
