import { randomUUID } from 'node:crypto';
import { isJson } from '../hook/is-json.ts';
import type { HostName } from '../host-name.ts';
import type { HostCheck, InstallContext } from './agent-installer.ts';
import { sampleMoments } from './sample-moments.ts';
import type { HookTrial } from './try-hook.ts';
import { tryHook } from './try-hook.ts';

/** An agent that waits longer than this for each call feels slow. */
const SLOW_MS = 1_000;

/** Whether the hook, run as the agent runs it, answers to a call that fails twice with advice. */
export async function checkHook(
  name: HostName,
  context: InstallContext,
): Promise<readonly HostCheck[]> {
  const session = `holdfast-doctor-${randomUUID()}`;
  const trials: HookTrial[] = [];
  for (const moment of sampleMoments(name, session)) {
    const trial = await tryHook(name, context, moment);
    trials.push(trial);
    const failure = failureOf(trial);
    if (failure !== undefined) return [{ status: 'problem', text: failure }];
  }
  // The first one may have had to be read from the disk.
  const fastest = Math.min(...trials.map(({ milliseconds }) => milliseconds));
  const speed: HostCheck = {
    status: fastest > SLOW_MS ? 'warning' : 'ok',
    text: `the hook answers in ${fastest} ms, the start of Node among them`,
  };
  const answer = trials.at(-1)?.output.trim() ?? '';
  if (answer.includes('holdfast-sample')) {
    return [speed, { status: 'ok', text: `of a call that failed twice it says: ${answer}` }];
  }
  const got = answer === '' ? 'nothing' : answer;
  const text = `of a call that failed twice it should give advice, and says ${got}; can its state be written?`;
  return [speed, { status: 'problem', text }];
}

function failureOf({ exitCode, output, error, milliseconds }: HookTrial): string | undefined {
  const said = error.trim() === '' ? '' : `: ${error.trim()}`;
  if (exitCode === undefined) return `the hook did not run to its end (${milliseconds} ms)${said}`;
  if (exitCode !== 0) return `the hook ended with ${exitCode}${said}`;
  return output.trim() === '' || isJson(output) ? undefined : `the hook printed no JSON: ${output}`;
}
