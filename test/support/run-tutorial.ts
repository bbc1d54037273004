import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { commandsOf, tells } from './console-blocks.ts';
import { readPage } from './markdown.ts';
import { PagePorts } from './page-ports.ts';
import { readText, root } from './repository.ts';
import { TutorialShell } from './tutorial-shell.ts';
import type { ShellCommand } from './tutorial-shell.ts';
import { until } from './until.ts';

export interface TutorialRun {
  /** Commands whose output is not what the page says, with both. */
  readonly problems: readonly string[];
  readonly ran: readonly string[];
  /** Commands that need a program that is not here. */
  readonly leftOut: readonly string[];
}

interface TutorialOptions {
  /** Programs that blocks may need, by name. */
  readonly programs?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Does what a reader of a tutorial does, in a folder of its own below `.cache/`: saves the files that it shows, and
 * runs the commands of its `console` blocks in a shell, in order. What stands on the line above a block says more:
 *
 * - `<!-- file: name -->`: it is saved under this name
 * - `<!-- runs on -->`: its command is left running until the end, once it has printed what the page says
 * - `<!-- needs: program -->`: it is left out where the program is not given
 */
export async function runTutorial(
  page: string,
  { programs = {}, env = {} }: TutorialOptions = {},
): Promise<TutorialRun> {
  const folder = join(root, '.cache', basename(page, '.md'));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const ports = new PagePorts();
  // Where commands look for a gateway, and a gateway listens, that are not told otherwise: it may be taken.
  const url = await ports.toReal('http://127.0.0.1:8787');
  const shell = new TutorialShell(folder, programs, { ...env, HOLDFAST_URL: url });
  const run = { problems: [] as string[], ran: [] as string[], leftOut: [] as string[] };
  const running: ShellCommand[] = [];
  try {
    for (const step of stepsOf(page)) {
      if (step.file !== undefined) {
        writeFileSync(join(folder, step.file), await ports.toReal(step.text));
        continue;
      }
      if (step.needs !== undefined && programs[step.needs] === undefined) {
        run.leftOut.push(step.command);
        continue;
      }
      run.ran.push(step.command);
      const started = shell.start(await ports.toReal(withPort(step.command)));
      const printed = (): string => started.printed(step.runsOn ? 'stdout' : undefined);
      const isTold = (): boolean => tells(words(step.printed), words(ports.toPage(printed())));
      if (step.runsOn) {
        running.push(started);
        const isReady = (): boolean => {
          ports.learn(step.printed, printed());
          return isTold();
        };
        await until(isReady).catch(() => undefined);
      } else await started.ended;
      if (isTold()) continue;
      const told = `says\n${step.printed}\nbut printed\n${ports.toPage(started.printed())}`;
      run.problems.push(`${page}:${step.line} $ ${step.command}\n${told}`);
      // Nothing after it would work.
      if (step.runsOn) break;
    }
  } finally {
    await Promise.all(running.map((one) => one.end()));
    shell.close();
  }
  return run;
}

type Step =
  | { readonly file: string; readonly text: string; readonly line: number }
  | {
      readonly file?: never;
      readonly command: string;
      readonly printed: string;
      readonly line: number;
      readonly runsOn: boolean;
      readonly needs: string | undefined;
    };

function stepsOf(page: string): Step[] {
  const files = readPage(readText(page)).fences.flatMap(({ above, body, line }) => {
    const file = /^<!-- file: (\S+) -->$/.exec(above)?.[1];
    return file === undefined ? [] : [{ file, text: `${body.join('\n')}\n`, line }];
  });
  const commands = commandsOf(page).map(({ above, ...command }) => ({
    ...command,
    runsOn: above === '<!-- runs on -->',
    needs: /^<!-- needs: (\w+) -->$/.exec(above)?.[1],
  }));
  return [...files, ...commands].sort((one, other) => one.line - other.line);
}

const withPort = (command: string): string =>
  /holdfast proxy /.test(command) && !command.includes('--port')
    ? `${command} --port 8787`
    : command;

/** What differs from run to run, taken out: ids, times, and how wide columns are. */
const words = (output: string): string[] =>
  output
    .replace(/call_\w{24}/g, 'call_…')
    .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d{3}Z)?|\d\d:\d\d:\d\d\.\d{3}/g, '(when)')
    .replace(/(?<!\d)\d{1,6}(?:\.\d)? (?:ms|s|min)\b/g, '(how long)')
    .replace(/(\S) {2,}/g, '$1  ')
    .trimEnd()
    .split('\n');
