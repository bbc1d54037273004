import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { platform } from 'node:process';
import { safeLine } from '../../cli/safe-text.ts';
import type { StdioServerConfig } from '../mcp-config.ts';
import { checkFilesLeft } from './check-files-left.ts';
import { SERVER_ID } from './process-group.ts';
import { windowsCommand } from './windows-command.ts';

/**
 * A child that runs, or the reason why there is none. It is in a group of its own, without a shell. With `mark` its
 * environment says which server it is of.
 */
export function spawnChild(
  config: StdioServerConfig,
  mark?: string,
): ChildProcessWithoutNullStreams {
  const { cwd } = config;
  const env = mark === undefined ? config.env : { ...config.env, [SERVER_ID]: mark };
  const isWindows = platform === 'win32';
  const { command, args, isVerbatim } = isWindows
    ? windowsCommand(config)
    : { command: config.command, args: config.args, isVerbatim: false };
  checkFilesLeft();
  return spawn(command, args, {
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: !isWindows,
    windowsHide: true,
    windowsVerbatimArguments: isVerbatim,
    ...(cwd === undefined ? {} : { cwd }),
  });
}

/** Why a program could not be started, in words. Arguments and environment, which may hold secrets, are not named. */
export function describeSpawnError(error: unknown, { command, cwd }: StdioServerConfig): string {
  const name = safeLine(command);
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'ENOENT':
      return cwd === undefined
        ? `\`${name}\` was not found: is it installed, and on the PATH that the server is given?`
        : `\`${name}\` was not found, or the folder ${safeLine(cwd)} does not exist`;
    case 'EACCES':
      return `\`${name}\` is not a program that may be run`;
    case 'ENOTDIR':
      return `\`${name}\` cannot be started in ${safeLine(cwd ?? '.')}: that is no folder`;
    case 'E2BIG':
      return `\`${name}\` was given more arguments or environment than the system takes`;
    case 'EAGAIN':
    case 'EMFILE':
    case 'ENOMEM':
      return `\`${name}\` could not be started: the system is short of processes, files or memory (${code})`;
    default:
      return `\`${name}\` could not be started${typeof code === 'string' ? ` (${code})` : ''}`;
  }
}
