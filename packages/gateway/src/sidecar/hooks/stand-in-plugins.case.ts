import type { JsonObject, JsonValue } from '@holdfast/core';
import type {
  PluginCall,
  PluginHost,
  PluginRun,
  PostOutcome,
  PreOutcome,
} from '../../plugins/plugin-run.ts';

/** What happened to the plugins, in order. */
export interface StandInPlugins extends PluginHost {
  readonly calls: readonly PluginCall[];
  readonly seen: readonly string[];
}

export interface StandInHooks {
  readonly pre?: (
    args: JsonObject,
    headers?: Readonly<Record<string, string>>,
  ) => Partial<PreOutcome> | Promise<Partial<PreOutcome>>;
  readonly post?: (
    result: JsonValue,
    how?: { readonly timedOut?: boolean },
  ) => Partial<PostOutcome> | Promise<Partial<PostOutcome>>;
}

/** A host with one plugin that does what it is told. */
export function standInPlugins({ pre, post }: StandInHooks = {}): StandInPlugins {
  const calls: PluginCall[] = [];
  const seen: string[] = [];
  const begin = (call: PluginCall): PluginRun => {
    calls.push(call);
    const tell = (what: string): void => void seen.push(`${what} ${call.requestId}`);
    return {
      pre: async (args, headers) => {
        tell('pre');
        return { args, metadata: {}, ...(await pre?.(args, headers)) };
      },
      post: async (result, how) => {
        tell('post');
        return { result, metadata: {}, ...(await post?.(result, how)) };
      },
      abandon: () => tell('abandon'),
    };
  };
  return { calls, seen, begin, guardsTool: () => false, close: async () => undefined };
}
