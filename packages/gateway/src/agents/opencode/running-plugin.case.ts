import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { onTestFinished } from 'vitest';
import { pluginSource } from './plugin-source.ts';

/** The hooks as opencode calls them; those of opencode that our plugin has not are undefined. */
export type Hooks = Readonly<
  Record<string, ((input: unknown, output?: unknown) => Promise<void>) | undefined>
>;

/** The plugin with a script in the place of Holdfast. */
export interface RunningPlugin {
  readonly hooks: Hooks;
  /** What the script was told so far. */
  readonly told: () => readonly Readonly<Record<string, unknown>>[];
  /** What it was started with. */
  readonly startedWith: () => readonly string[];
}

export interface PluginOptions {
  readonly veto?: boolean;
  /** How long it waits, in place of the five seconds it waits in opencode. */
  readonly timeoutMs?: number;
}

/** `answer` is the body of a function that gets the payload as `told`, and what it returns is printed. */
export async function runPlugin(answer: string, options?: PluginOptions): Promise<RunningPlugin> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-plugin-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const script = join(folder, 'hook.mjs');
  const log = join(folder, 'told.jsonl');
  writeFileSync(log, '');
  writeFileSync(
    script,
    `import { appendFileSync, readFileSync } from 'node:fs';
     const text = readFileSync(0, 'utf8');
     const args = process.argv.slice(2);
     appendFileSync(${JSON.stringify(log)}, JSON.stringify({ args, told: JSON.parse(text) }) + '\\n');
     const answer = (told) => { ${answer} };
     process.stdout.write(answer(JSON.parse(text)));`,
  );
  const read = (): readonly {
    readonly args: readonly string[];
    readonly told: Readonly<Record<string, unknown>>;
  }[] => {
    const lines = readFileSync(log, 'utf8').split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line) as ReturnType<typeof read>[number]);
  };
  return {
    hooks: await loadPlugin(folder, process.execPath, script, options),
    told: () => read().map(({ told }) => told),
    startedWith: () => read()[0]?.args ?? [],
  };
}

/** Loads it as opencode does: the file is imported, and what it exports is called. */
export async function loadPlugin(
  folder: string,
  node: string,
  script: string,
  { veto = false, timeoutMs = 5000 }: PluginOptions = {},
): Promise<Hooks> {
  const file = join(folder, 'holdfast.mjs');
  const source = pluginSource({ node, script, veto });
  writeFileSync(file, source.replace('TIMEOUT_MS = 5000', `TIMEOUT_MS = ${timeoutMs}`));
  const exported = (await import(pathToFileURL(file).href)) as Readonly<
    Record<string, () => Promise<Hooks>>
  >;
  const [plugin, ...others] = Object.values(exported);
  if (plugin === undefined || others.length > 0) throw new Error('opencode calls every export');
  return plugin();
}
