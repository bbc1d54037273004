import { InvalidOptionError } from '../../errors.ts';
import { Circuits } from '../../guard/circuits.ts';
import { object } from '../../internal/check-options.ts';
import { ToolGuard } from '../guarding/tool-guard.ts';
import type { ToolGuardOptions } from '../guarding/tool-settings.ts';

function check(settings: unknown, name: string): void {
  const expected = object(settings);
  if (expected !== undefined) throw new InvalidOptionError(name, expected, settings);
}

/** Guards of tools that are known by name when they are first called. They share their circuits. */
export class ToolGuards {
  readonly #options: ToolGuardOptions;
  readonly #guards = new Map<string, ToolGuard>();

  constructor(options: ToolGuardOptions, of: string) {
    const { clock, random, onEvent, circuits, toolSettings = {} } = options;
    const environment = { ...(clock && { clock }), ...(random && { random }), onEvent };
    this.#options = { ...options, circuits: circuits ?? new Circuits(environment) };
    // What is wrong with the options shows now, and not in the middle of a conversation.
    check(toolSettings, `${of}.toolSettings`);
    for (const [name, settings] of Object.entries(toolSettings))
      check(settings, `${of}.toolSettings.${name}`);
    for (const name of ['any', ...Object.keys(toolSettings)])
      new ToolGuard([{ name }], this.#options);
  }

  of(name: string): ToolGuard {
    const known = this.#guards.get(name);
    if (known !== undefined) return known;
    const guard = new ToolGuard([{ name }], this.#options);
    this.#guards.set(name, guard);
    return guard;
  }
}
