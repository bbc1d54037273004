/** When a plugin runs, and with that what its word means. Phases run in this order, before a call and after it. */
export type PluginPhase =
  /** One after the other; may change and stop a call. */
  | 'sequential'
  /** One after the other; may change a call. */
  | 'transform'
  /** One after the other; only looks. */
  | 'audit'
  /** All at once; may stop a call. */
  | 'concurrent'
  /** Nobody waits for it. */
  | 'fire_and_forget';

/** What becomes of a call when a plugin fails: it ends, it goes on, or it goes on and the plugin is left out from then on. */
export type OnError = 'fail' | 'ignore' | 'disable';

/** The phases, in the order in which they run. */
export const PLUGIN_PHASES: readonly PluginPhase[] = Object.freeze([
  'sequential',
  'transform',
  'audit',
  'concurrent',
  'fire_and_forget',
]);

/** What a file may call a mode: four words as they were, and the phases by their own names. */
export const PLUGIN_MODES = [
  'enforce',
  'enforce_ignore_error',
  'permissive',
  'disabled',
  'sequential',
  'transform',
  'audit',
  'concurrent',
  'fire_and_forget',
] as const;

export type PluginMode = (typeof PLUGIN_MODES)[number];

/** Where a plugin runs by its mode; undefined where it does not. */
export function phaseOf(mode: PluginMode): PluginPhase | undefined {
  switch (mode) {
    case 'disabled':
      return undefined;
    case 'enforce':
    case 'enforce_ignore_error':
      return 'sequential';
    case 'permissive':
      return 'transform';
    default:
      return mode;
  }
}

/** What a failure of a plugin does where its entry does not say. */
export function onErrorOf(mode: PluginMode, failOnPluginError: boolean): OnError {
  switch (mode) {
    case 'permissive':
    case 'audit':
      return failOnPluginError ? 'fail' : 'ignore';
    case 'enforce_ignore_error':
    case 'fire_and_forget':
    case 'disabled':
      return 'ignore';
    default:
      return 'fail';
  }
}

/** Whether the word of a plugin in this phase can stop a call. */
export function mayStop(phase: PluginPhase): boolean {
  return phase === 'sequential' || phase === 'concurrent';
}

/** Whether what a plugin in this phase returns takes the place of what it got. */
export function mayChange(phase: PluginPhase): boolean {
  return phase === 'sequential' || phase === 'transform';
}
