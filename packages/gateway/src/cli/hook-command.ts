import { join } from 'node:path';
import { isHostName, loadHost } from '../agents/hosts.ts';
import { HOST_NAMES } from '../agents/host-name.ts';
import type { HostName } from '../agents/host-name.ts';
import { advisorSettings } from '../agents/hook/hook-settings.ts';
import { HookStore } from '../agents/hook/hook-store.ts';
import { isJson } from '../agents/hook/is-json.ts';
import { runHook } from '../agents/hook/run-hook.ts';
import { stateFolder } from '../agents/hook/state-folder.ts';

/** What the hook reads and writes. `Io` is more, and so takes longer to make. */
export interface HookIo {
  readonly stdin: AsyncIterable<Uint8Array> & {
    readonly isTerminal: boolean;
    /** Reads all at once, which is quicker, up to the end; undefined where it cannot. */
    readonly readAll?: () => string | undefined;
  };
  readonly stdout: { write(text: string): void };
  readonly stderr: { write(text: string): void };
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Wrong options are told with 1, and never with 2 as by other commands: to agents 2 means that the call must not
 * run. 1 lets it run everywhere, and they show the message, which they would not with 0. Where the options are
 * right, it is 0 whatever happens.
 */
const MISUSE = 1;

/** No payload is larger: agents cut what tools return long before that. */
const MOST_CHARACTERS = 32 * 1024 * 1024;

/** Runs `holdfast hook` with what stands behind that. Returns the exit code; never throws. */
export async function hookCommand(args: readonly string[], io: HookIo): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    const { hookHelp } = await import('./help.ts');
    io.stdout.write(hookHelp);
    return 0;
  }
  const [name = '', ...more] = args.filter((argument) => argument !== '--veto');
  if (!isHostName(name) || more.length > 0) {
    io.stderr.write(
      `holdfast: ${whatIsWrong(name, more)}; the agents are ${HOST_NAMES.join(', ')}\n`,
    );
    return MISUSE;
  }
  if (io.stdin.isTerminal) {
    io.stderr.write(
      `holdfast: hook ${name} is run by the agent, with JSON on standard input; ` +
        `holdfast install ${name} sets that up\n`,
    );
    return MISUSE;
  }
  io.stdout.write(await answerOf(name, args.includes('--veto'), io));
  return 0;
}

function whatIsWrong(name: string, more: readonly string[]): string {
  const option = [name, ...more].find((argument) => argument.startsWith('-'));
  if (option !== undefined) return `hook: unknown option ${option}`;
  if (name === '') return 'hook: expected an agent';
  return more.length > 0
    ? `hook: expected one agent, got ${[name, ...more].join(' ')}`
    : `hook: unknown agent "${name}"`;
}

async function answerOf(name: HostName, veto: boolean, io: HookIo): Promise<string> {
  const onProblem = (problem: unknown): void => {
    if ((io.env['HOLDFAST_DEBUG'] ?? '') === '') return;
    io.stderr.write(`holdfast: hook ${name}: ${String(problem)}\n`);
  };
  try {
    const host = await loadHost(name);
    const whole = host.endsInput === true ? io.stdin.readAll?.() : undefined;
    const folder = (): string => join(stateFolder(io.env, process.platform), 'hooks');
    return await runHook(host, whole ?? readInput(io.stdin), {
      store: () => new HookStore(folder()),
      veto,
      settings: () => advisorSettings(folder(), io.env, onProblem),
      onProblem,
    });
  } catch (problem) {
    onProblem(problem);
    return '';
  }
}

/** The JSON object on standard input. Its end is enough: an agent that is busy may close the pipe seconds later. */
async function readInput(stdin: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of stdin) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MOST_CHARACTERS) throw new Error('too much on standard input');
    if (/\}\s*$/.test(text.slice(-16)) && isJson(text)) break;
  }
  return text;
}
