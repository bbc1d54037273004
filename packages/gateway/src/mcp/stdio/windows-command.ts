import { existsSync } from 'node:fs';
import { win32 } from 'node:path';
import type { StdioServerConfig } from '../mcp-config.ts';

/** What is started on Windows for a command. */
export interface WindowsCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** The arguments are quoted already. */
  readonly isVerbatim: boolean;
}

/**
 * On Windows most commands of MCP servers (`npx`, `uvx`, what npm installed) may be batch files, which only
 * `cmd.exe` can run. Everything else is started as it is.
 */
export function windowsCommand(
  { command, args, env, cwd }: Pick<StdioServerConfig, 'command' | 'args' | 'env' | 'cwd'>,
  exists: (path: string) => boolean = existsSync,
): WindowsCommand {
  const file = findCommand(command, { env, cwd: cwd ?? '.' }, exists) ?? command;
  if (!/\.(?:cmd|bat)$/i.test(file)) return { command, args, isVerbatim: false };
  const line = [escapeCommand(win32.normalize(file)), ...args.map(escapeArgument)].join(' ');
  return {
    command: variable(env, 'comspec') ?? 'cmd.exe',
    args: ['/d', '/s', '/c', `"${line}"`],
    isVerbatim: true,
  };
}

function findCommand(
  command: string,
  { env, cwd }: { readonly env: StdioServerConfig['env']; readonly cwd: string },
  exists: (path: string) => boolean,
): string | undefined {
  const folders = /[\\/]/.test(command) ? [cwd] : (variable(env, 'path') ?? '').split(';');
  const extensions = (variable(env, 'pathext') ?? '.COM;.EXE;.BAT;.CMD').split(';');
  const names = win32.extname(command) === '' ? [] : [command];
  names.push(...extensions.map((extension) => command + extension));
  for (const folder of folders) {
    const found = names.map((name) => win32.resolve(folder, name)).find(exists);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Names of variables are in any case on Windows. */
function variable(env: StdioServerConfig['env'], name: string): string | undefined {
  return Object.entries(env).find(([key]) => key.toLowerCase() === name)?.[1];
}

/** What `cmd.exe` takes as more than a character. */
const SPECIAL = /[()\][%!^"`<>&|;, *?]/g;

function escapeCommand(command: string): string {
  return command.replace(SPECIAL, '^$&');
}

/** Quoted for the program, then escaped twice: a batch file hands its arguments on through `cmd.exe` again. */
function escapeArgument(argument: string): string {
  const quoted = `"${doubleBackslashes(argument)}"`;
  return quoted.replace(SPECIAL, '^$&').replace(SPECIAL, '^$&');
}

/** Programs read a backslash as one, but not before a quotation mark: there each has to be two. */
function doubleBackslashes(argument: string): string {
  let result = '';
  let backslashes = 0;
  for (const character of argument) {
    if (character === '"') result += `${'\\'.repeat(backslashes + 1)}"`;
    else result += character;
    backslashes = character === '\\' ? backslashes + 1 : 0;
  }
  return result + '\\'.repeat(backslashes);
}
