import type { ParseStep } from '@holdfast/core/parse';
import type { UpstreamProtocol } from '../config/gateway-config.ts';
import type { TurnCall } from '../proxy/turn/turn-event.ts';

/** What a model server does with tool calls, and what was tried to find out. */
export interface DoctorReport {
  readonly upstream: string;
  readonly verdict: Verdict;
  /** What that means. */
  readonly summary: string;
  /** What Holdfast would do. */
  readonly holdfast: string;
  /** The requests that were sent, in order, and what became of each. */
  readonly tried: readonly Attempt[];
  /** Which program the server seems to be; undefined when nothing tells. */
  readonly server: string | undefined;
  readonly models: readonly string[];
  readonly model: string | undefined;
  readonly streamed: Probe | undefined;
  readonly whole: Probe | undefined;
  /** Asked with the tool in the prompt, where the server refuses the `tools` field; else undefined. */
  readonly prompted: Probe | undefined;
  /** What it was seen to speak. */
  readonly protocols: readonly UpstreamProtocol[];
  /** What may help. */
  readonly hints: readonly string[];
  /** To go on with, ready to paste. */
  readonly commands: readonly string[];
}

/**
 * `native`: the server reads the calls itself, and rightly. `mended`: it does, with mistakes. `text`: calls
 * arrive as text, streamed or whole. `prompted`: the server takes no tools, but calls come where the model is
 * told of them in its prompt. `no-calls`: the model made none that can be run. `refused`: the server would not
 * answer. `unreachable`: there is no server that could be asked.
 */
export type Verdict =
  'native' | 'mended' | 'text' | 'prompted' | 'no-calls' | 'refused' | 'unreachable';

/** A request, and what became of it. */
export interface Attempt {
  /** Method and address. */
  readonly request: string;
  readonly ok: boolean;
  readonly outcome: string;
}

/** An answer to the request for a call. */
export interface Probe {
  /** Who read the calls: the server, or Holdfast out of the text; `none` where there are none. */
  readonly readBy: 'server' | 'holdfast' | 'none';
  /** What Holdfast would tell a client. */
  readonly calls: readonly TurnCall[];
  /** Whether the call is complete and fits the tool. */
  readonly isValid: boolean;
  /** What Holdfast had to set right in what the server told. */
  readonly mended: readonly string[];
  readonly finishReason: string | undefined;
  /** The text as it came, cut. */
  readonly text: string;
  /** Why the text was read as it was. */
  readonly explanation: readonly ParseStep[];
  readonly failure: string | undefined;
}
