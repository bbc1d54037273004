import { homedir } from 'node:os';
import { basename, sep } from 'node:path';
import type { Environment } from '../../config/expand-variables.ts';

/** A question that VS Code puts to its user once, and what it may be answered with by default. */
export interface McpInput {
  readonly description?: string;
  readonly fallback?: string;
}

/** What the variables in a file of servers can stand for. */
export interface McpVariables {
  readonly env: Environment;
  /** The folder that the file belongs to. */
  readonly folder: string;
  readonly inputs: ReadonlyMap<string, McpInput>;
}

/** A text with its variables filled in, what is worth knowing about them, and what keeps the text from being used. */
export interface FilledText {
  readonly text: string;
  readonly notes: readonly string[];
  readonly problems: readonly string[];
}

/**
 * Fills in variables as clients do: `${NAME}` and `${NAME:-default}` as Claude Code, `${env:NAME}`,
 * `${input:id}` and `${workspaceFolder}` as VS Code. What is filled in is not looked through again.
 */
export function fillMcpVariables(text: string, variables: McpVariables): FilledText {
  const notes: string[] = [];
  const problems: string[] = [];
  const filled = text.replace(/\$\{([^{}]*)\}/g, (written, inside: string) => {
    const value = valueOf(inside, variables);
    if (value.problem !== undefined) problems.push(value.problem);
    if (value.note !== undefined) notes.push(value.note);
    return value.text ?? written;
  });
  return { text: filled, notes, problems };
}

/** The variable of the environment that answers an input. */
export function inputVariable(id: string): string {
  return `INPUT_${id.replaceAll(/\W/g, '_').toUpperCase()}`;
}

/** Without `text`, what was written stays. */
interface Value {
  readonly text?: string;
  readonly note?: string;
  readonly problem?: string;
}

function valueOf(inside: string, { env, folder, inputs }: McpVariables): Value {
  const read = (name: string): string | undefined =>
    Object.hasOwn(env, name) ? env[name] : undefined;
  switch (inside) {
    case 'workspaceFolder':
      return { text: folder };
    case 'workspaceFolderBasename':
      return { text: basename(folder) };
    case 'userHome':
      return { text: read('HOME') ?? homedir() };
    case 'pathSeparator':
    case '/':
      return { text: sep };
    default:
  }
  const colon = inside.indexOf(':');
  const name = colon < 0 ? inside : inside.slice(0, colon);
  const rest = colon < 0 ? undefined : inside.slice(colon + 1);
  if (name === 'env' && rest !== undefined) {
    const value = read(rest);
    if (value !== undefined) return { text: value };
    return { text: '', note: `the environment variable ${rest} is not set, and counts as empty` };
  }
  if (name === 'input' && rest !== undefined) return answerTo(rest, inputs, read);
  if (!/^[a-z_]\w*$/i.test(name) || (rest !== undefined && !rest.startsWith('-'))) {
    return { note: `\${${inside}} is not known here, and stays as it is` };
  }
  const value = read(name);
  const fallback = rest?.slice(1);
  if (value !== undefined && (value !== '' || fallback === undefined)) return { text: value };
  if (fallback !== undefined) return { text: fallback };
  return { note: `the environment variable ${name} is not set, so \${${name}} stays as it is` };
}

function answerTo(
  id: string,
  inputs: ReadonlyMap<string, McpInput>,
  read: (name: string) => string | undefined,
): Value {
  const variable = inputVariable(id);
  const answer = read(variable);
  if (answer !== undefined) return { text: answer };
  const input = inputs.get(id);
  if (input?.fallback !== undefined) return { text: input.fallback };
  const asked = input?.description === undefined ? '' : ` (${input.description})`;
  return {
    problem:
      `expected an answer to the input "${id}"${asked}, which nobody can be asked for here; ` +
      `set the environment variable ${variable}`,
  };
}
