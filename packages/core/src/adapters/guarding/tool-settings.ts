import type { Tool } from '../../call/tool.ts';
import type { ToolRunnerOptions } from '../../call/tool-runner.ts';
import { InvalidOptionError } from '../../errors.ts';
import { object } from '../../internal/check-options.ts';

/** What is known of a tool that its SDK has no words for. */
export type ToolSettings = Pick<
  Tool,
  'annotations' | 'timeoutMs' | 'retry' | 'server' | 'provider'
>;

/** How tools are run. Their arguments are checked by the SDK, before they come here. */
export interface ToolGuardOptions extends Omit<ToolRunnerOptions, 'tools' | 'check'> {
  /** What is known of single tools, by their names. @defaultValue nothing */
  readonly toolSettings?: Readonly<Record<string, ToolSettings>>;
}

/** Throws on settings of a tool that is not there: its name is misspelt. */
export function checkToolSettings(
  { toolSettings = {} }: ToolGuardOptions,
  names: readonly string[],
): void {
  for (const [name, settings] of Object.entries(toolSettings)) {
    const expected = names.includes(name) ? object(settings) : `one of ${names.join(', ')}`;
    if (expected !== undefined)
      throw new InvalidOptionError(`guardTools.toolSettings.${name}`, expected, settings);
  }
}
