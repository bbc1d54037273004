import { isDeepStrictEqual } from 'node:util';
import { TextPosition } from '../../cli/text-position.ts';
import type { JsoncMember, JsoncNode } from '../../mcp/config/read-jsonc-tree.ts';
import { NotJsoncError, readJsoncTree } from '../../mcp/config/read-jsonc-tree.ts';
import { CannotInstallError } from './agent-installer.ts';
import { JsonLayout } from './json-layout.ts';

/**
 * Changes to a JSON file as a user wrote it, with comments and trailing commas: all that is not changed stays byte
 * for byte, with its indent and its line ends.
 */
export interface JsonEdit {
  /** Keys, and indexes of lists. The last may be one past the end of a list; objects and lists on the way are made. */
  readonly path: JsonPath;
  /** Undefined removes it, and with it what held nothing else, as far up as `keep` parts of the path. */
  readonly value: unknown;
  /**
   * How many of the containers on the way stay though they are empty now: 1 keeps what `path[0]` names.
   * @defaultValue 0
   */
  readonly keep?: number;
}

export type JsonPath = readonly (string | number)[];

/** A piece of the text, and what is to stand there instead. */
interface Patch {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * The text with the edits made one after the other. An empty text is one with an empty object.
 *
 * @param path - the file, for the error
 * @throws {@link CannotInstallError} where the text is no JSON with an object in it, or something on the way to an
 * edit is neither an object nor a list as the edit expects
 */
export function editJson(text: string, edits: readonly JsonEdit[], path: string): string {
  readJson(text, path);
  return edits.reduce((edited, edit) => new JsonEditor(edited, path).edit(edit) ?? edited, text);
}

/**
 * What a file says that `editJson` would edit; an empty text is an empty object.
 *
 * @throws {@link CannotInstallError} as `editJson` does
 */
export function readJson(text: string, path: string): Readonly<Record<string, unknown>> {
  return new JsonEditor(text, path).root.value as Record<string, unknown>;
}

class JsonEditor {
  readonly #text: string;
  readonly #path: string;
  readonly #layout: JsonLayout;
  readonly root: JsoncNode;

  constructor(text: string, path: string) {
    this.#path = path;
    const isEmpty = text.trim() === '';
    this.#text = isEmpty ? `${text.startsWith('\uFEFF') ? '\uFEFF' : ''}{}\n` : text;
    try {
      this.root = readJsoncTree(this.#text);
    } catch (error) {
      if (!(error instanceof NotJsoncError)) throw error;
      throw this.#refusal(error.offset, error.message);
    }
    if (kindOf(this.root) !== 'an object') throw this.#mismatch(this.root, 'an object');
    this.#layout = new JsonLayout(this.#text, this.root);
  }

  /** Undefined where there is nothing to do. */
  edit({ path, value, keep = 0 }: JsonEdit): string | undefined {
    const patches = value === undefined ? this.#remove(path, keep) : this.#set(path, value);
    if (patches.length === 0) return undefined;
    // From the back, so that offsets before stay right.
    const ordered = patches.toReversed().sort((a, b) => b.start - a.start);
    return ordered.reduce(
      (text, patch) => text.slice(0, patch.start) + patch.text + text.slice(patch.end),
      this.#text,
    );
  }

  #set(path: JsonPath, value: unknown): readonly Patch[] {
    let node = this.root;
    for (const [index, key] of path.entries()) {
      const expected = typeof key === 'number' ? 'a list' : 'an object';
      if (kindOf(node) !== expected) throw this.#mismatch(node, expected, path.slice(0, index));
      const member = memberOf(node, key);
      if (member === undefined) {
        const made = path.slice(index + 1).reduceRight(inContainer, value);
        return this.#add(node, key, made);
      }
      node = member.node;
    }
    if (isDeepStrictEqual(node.value, asJson(value))) return [];
    const { start, end } = node;
    const layout = this.#layout;
    const text = layout.spreads(node)
      ? layout.spread(value, layout.indentAt(start))
      : layout.inline(value);
    return [{ start, end, text }];
  }

  /** Adds a member behind all others, and behind the comments on the line of the last. */
  #add(container: JsoncNode, key: string | number, value: unknown): readonly Patch[] {
    const members = container.members ?? [];
    const last = members.at(-1);
    if (typeof key === 'number' && key !== members.length) {
      throw new RangeError(`expected an index of at most ${members.length}, got ${key}`);
    }
    const layout = this.#layout;
    const close = container.end - 1;
    const from = last === undefined ? container.start + 1 : (last.comma ?? last.node.end - 1) + 1;
    const comments = layout
      .commentsBetween(last?.node.end ?? from, close)
      .filter(({ start }) => last === undefined || !this.#between(from, start).includes('\n'));
    const comment = comments.at(-1);
    const at = Math.max(from, comment?.end ?? 0);
    const before = last?.start ?? comment?.start;
    const indent =
      before !== undefined && this.#startsLine(before)
        ? layout.indentAt(before)
        : layout.indentInside(container.start);

    const isSpread =
      comment?.isLine === true ||
      (before === undefined ? layout.spreads(container) : this.#startsLine(before));
    const patches: Patch[] = [];
    if (last !== undefined && last.comma === undefined) {
      patches.push({ start: last.node.end, end: last.node.end, text: ',' });
    }
    const comma = last?.comma === undefined ? '' : ',';
    if (!isSpread) {
      const gap = before === undefined ? '' : layout.gap;
      const spansLines =
        last !== undefined && this.#between(last.start, last.node.end).includes('\n');
      const written = spansLines
        ? layout.spread(value, layout.indentAt(last.start))
        : layout.inline(value);
      const text = gap + layout.member(key, written) + comma;
      // An object without members has no space to keep.
      const end = before === undefined ? close : at;
      return [...patches, { start: at, end, text }];
    }
    const member = layout.member(key, layout.spread(value, indent)) + comma;
    const text = layout.lineEnd + indent + member;
    if (before === undefined) {
      const tail = layout.lineEnd + layout.indentAt(container.start);
      return [...patches, { start: at, end: close, text: text + tail }];
    }
    return [...patches, { start: at, end: at, text }];
  }

  #remove(path: JsonPath, keep: number): readonly Patch[] {
    const chain: { readonly container: JsoncNode; readonly member: JsoncMember }[] = [];
    let node = this.root;
    for (const key of path) {
      const member = memberOf(node, key);
      if (member === undefined) return [];
      chain.push({ container: node, member });
      node = member.node;
    }
    // What held nothing else goes as a whole; a comment is something.
    let depth = chain.length - 1;
    while (depth > keep && this.#holdsOnlyOne(chain[depth]?.container)) depth--;
    const found = chain[depth];
    return found === undefined ? [] : this.#cut(found.container, found.member);
  }

  #holdsOnlyOne(container: JsoncNode | undefined): boolean {
    const [member, other] = container?.members ?? [];
    if (container === undefined || member === undefined || other !== undefined) return false;
    const { start, end } = container;
    return (
      this.#layout.commentsBetween(start + 1, member.start).length === 0 &&
      this.#layout.commentsBetween(member.node.end, end - 1).length === 0
    );
  }

  #cut(container: JsoncNode, member: JsoncMember): readonly Patch[] {
    const members = container.members ?? [];
    const index = members.indexOf(member);
    const previous = members[index - 1];
    const isLast = index === members.length - 1;
    const close = container.end - 1;
    const outer = previous?.comma ?? previous?.node.end ?? container.start;
    const comment = this.#layout.commentsBetween(outer + 1, member.start).at(-1);
    let start = comment?.end ?? outer + 1;
    let end = (member.comma ?? member.node.end - 1) + 1;
    const ownComments = this.#layout.commentsBetween(member.node.end, end);
    if (ownComments.length > 0) end = member.node.end;

    const patches: Patch[] = [];
    if (ownComments.length > 0 && member.comma !== undefined) {
      patches.push({ start: member.comma, end: member.comma + 1, text: '' });
    }
    if (isLast && member.comma === undefined && previous?.comma !== undefined) {
      patches.push({ start: previous.comma, end: previous.comma + 1, text: '' });
    }
    const isOnly = members.length === 1;
    if (isOnly && comment === undefined && this.#between(end, close).trim() === '') {
      end = close;
    } else if (comment?.isLine === true && !/^[ \t\r]*\n/.test(this.#between(end, container.end))) {
      // What comes behind would become a part of the comment.
      start = member.start;
    }
    return [...patches, { start, end, text: '' }];
  }

  #between(start: number, end: number): string {
    return this.#text.slice(start, end);
  }

  #startsLine(offset: number): boolean {
    const line = this.#text.lastIndexOf('\n', offset - 1) + 1;
    return line > 0 && this.#between(line, offset).trim() === '';
  }

  #mismatch(node: JsoncNode, expected: string, path: JsonPath = []): CannotInstallError {
    const place = path.length === 0 ? '' : ` at ${path.join('.')}`;
    return this.#refusal(node.start, `expected ${expected}${place}, got ${kindOf(node)}`);
  }

  #refusal(offset: number, message: string): CannotInstallError {
    const { line, column } = new TextPosition(this.#text).at(offset);
    return new CannotInstallError(`${this.#path}:${line}:${column}: ${message}`);
  }
}

function memberOf(node: JsoncNode, key: string | number): JsoncMember | undefined {
  return node.members?.find((member) => member.key === key);
}

/** What the rest of a path is put in that is not there yet. */
function inContainer(value: unknown, key: string | number): unknown {
  if (typeof key === 'string') return { [key]: value };
  if (key !== 0) throw new RangeError(`expected index 0 in a list that is made, got ${key}`);
  return [value];
}

/** As it will be read back. */
function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value)) as unknown;
}

function kindOf({ value, members }: JsoncNode): string {
  if (members !== undefined) return Array.isArray(value) ? 'a list' : 'an object';
  if (value === null) return 'null';
  return `a ${typeof value}`;
}
