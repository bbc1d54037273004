import type { NamedCircuit, SharedCircuit } from '../circuit-store.ts';
import { rawAnswerOf, readAnswer } from './read-answer.ts';
import type { RawAnswer } from './read-answer.ts';
import { readJson } from './read-json.ts';
import { numberText } from './script-arguments.ts';
import type { ScriptRunner } from './script-runner.ts';

/** As long as the record of a circuit stays that nobody uses. */
const IDLE_MS = 600_000;
const ISOLATED_MS = 30 * 86_400_000;

/**
 * The circuits that are not closed, in one hash with the scripts and the format of the list of replicas. It may be
 * behind for a moment: a replica that reads it asks for each of these circuits within a second.
 */
export class OpenIndex {
  readonly #runner: ScriptRunner;
  readonly #key: string;
  readonly #wallTime: () => number;
  /** Names that this process has put in or read there. */
  readonly #names = new Set<string>();

  constructor(runner: ScriptRunner, key: string, wallTime: () => number) {
    this.#runner = runner;
    this.#key = key;
    this.#wallTime = wallTime;
  }

  /** Never rejects: a circuit that is missing here is known with the first call. */
  async follow(name: string, raw: RawAnswer, { state, openForMs }: SharedCircuit): Promise<void> {
    try {
      if (state === 'closed') {
        if (this.#names.delete(name)) await this.#runner.run('leave', this.#key, [name]);
        return;
      }
      this.#names.add(name);
      const keptMs = openForMs === Infinity ? ISOLATED_MS : openForMs + IDLE_MS;
      const record = JSON.stringify([name, this.#wallTime(), ...raw]);
      await this.#runner.run('join', this.#key, [name, numberText(keptMs), record]);
    } catch {
      this.#names.add(name);
    }
  }

  async read(): Promise<readonly NamedCircuit[] | undefined> {
    const records = await this.#runner.run('list', this.#key, []);
    if (!Array.isArray(records)) return undefined;
    const circuits = (records as readonly unknown[]).flatMap((record) => this.#parse(record));
    for (const { name } of circuits) this.#names.add(name);
    return circuits;
  }

  #parse(record: unknown): readonly NamedCircuit[] {
    const text = record instanceof Uint8Array ? new TextDecoder().decode(record) : record;
    const value = typeof text === 'string' ? readJson(text) : undefined;
    if (!Array.isArray(value)) return [];
    const [name, at, ...fields] = value as readonly unknown[];
    const raw = rawAnswerOf(fields);
    const shared = raw === undefined ? undefined : readAnswer(raw)?.shared;
    if (typeof name !== 'string' || typeof at !== 'number' || shared === undefined) return [];
    const age = Math.max(0, this.#wallTime() - at);
    return [{ name, shared: { ...shared, openForMs: Math.max(0, shared.openForMs - age) } }];
  }
}
