import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../proxy/json/json-fields.ts';
import { CannotInstallError } from './agent-installer.ts';
import type { JsonEdit } from './edit-json.ts';

type Settings = Readonly<Record<string, unknown>>;

/** A hook of ours in the file of an agent. */
export interface FoundHook {
  /** Of its group, among those of its event, and of itself in that. */
  readonly at: readonly [number, number];
  /** How many hooks its group has. */
  readonly groupSize: number;
  readonly matcher: unknown;
  readonly hook: Settings;
}

export interface HookGroupsOptions {
  /** Of the file, for messages. */
  readonly path: string;
  /** The agent, as its makers write it. */
  readonly title: string;
  readonly isOurs: (hook: Settings) => boolean;
}

/**
 * The hooks in a file of an agent. Claude Code, Codex and Gemini CLI have them alike: `hooks.<event>` is a list of
 * groups, each with what it matches and a list of hooks.
 */
export class HookGroups {
  readonly #settings: Settings;
  readonly #options: HookGroupsOptions;

  constructor(settings: Settings, options: HookGroupsOptions) {
    this.#settings = settings;
    this.#options = options;
  }

  /** How many groups an event has. */
  count(event: string): number {
    return this.#groups(event).length;
  }

  /** Where hooks of ours are: one, more, or none. */
  ours(event: string): readonly FoundHook[] {
    return this.#groups(event).flatMap((group, outer) => {
      const hooks = hooksOf(group);
      const matcher = isObject(group) ? group['matcher'] : undefined;
      return hooks.flatMap((hook, inner): readonly FoundHook[] =>
        this.#options.isOurs(hook)
          ? [{ at: [outer, inner], groupSize: hooks.length, matcher, hook }]
          : [],
      );
    });
  }

  /** The hooks of others. */
  others(event: string): readonly Settings[] {
    const { isOurs } = this.#options;
    return this.#groups(event)
      .flatMap(hooksOf)
      .filter((hook) => !isOurs(hook));
  }

  /**
   * What it takes for a hook to be there, once. A new one goes behind all others, in a group of its own: agents may
   * know hooks by their place.
   */
  put(event: string, hook: object, group: Settings = {}): readonly JsonEdit[] {
    const [first, ...others] = this.ours(event);
    if (first === undefined) {
      return [{ path: ['hooks', event, this.count(event)], value: { ...group, hooks: [hook] } }];
    }
    const [outer, inner] = first.at;
    const update = { path: ['hooks', event, outer, 'hooks', inner], value: hook };
    return [...(isDeepStrictEqual(first.hook, hook) ? [] : [update]), ...removals(event, others)];
  }

  /** What it takes for none to be there. */
  remove(event: string): readonly JsonEdit[] {
    return removals(event, this.ours(event));
  }

  #groups(event: string): readonly unknown[] {
    const { path, title } = this.#options;
    const hooks = this.#settings['hooks'] ?? {};
    if (!isObject(hooks)) {
      throw new CannotInstallError(`${path}: expected an object in hooks, as ${title} does`);
    }
    const groups: unknown = hooks[event] ?? [];
    if (Array.isArray(groups)) return groups as readonly unknown[];
    throw new CannotInstallError(`${path}: expected a list in hooks.${event}, as ${title} does`);
  }
}

function hooksOf(group: unknown): readonly Settings[] {
  const hooks = isObject(group) ? group['hooks'] : undefined;
  if (!Array.isArray(hooks)) return [];
  // What is none has a place too.
  return (hooks as readonly unknown[]).map((hook) => (isObject(hook) ? hook : {}));
}

/** The last first, so that those before stay where they are. A group that would be left empty goes as a whole. */
function removals(event: string, found: readonly FoundHook[]): readonly JsonEdit[] {
  return found.toReversed().flatMap(({ at: [outer, inner], groupSize }): readonly JsonEdit[] => {
    const mates = found.filter(({ at }) => at[0] === outer);
    if (mates.length < groupSize) {
      return [{ path: ['hooks', event, outer, 'hooks', inner], value: undefined }];
    }
    return inner === 0 ? [{ path: ['hooks', event, outer], value: undefined }] : [];
  });
}
