import { spellingOf } from '../../internal/tool-names.ts';
import type { AdvisedToolSettings, AdvisorOptions } from '../advisor-options.ts';
import { natureOf } from '../call-nature.ts';
import type { Classification, ToolResult } from '../classification.ts';
import { classify } from '../classify/classify.ts';
import { guessToolKind } from '../classify/tool-kind.ts';
import { hashCall } from '../loops/fingerprints.ts';
import type { IsOwnAdvice } from './own-advice.ts';
import type { PairedCall, Round } from './pair-calls.ts';
import { toolResult } from './tool-result.ts';

type ToolOptions = Pick<AdvisorOptions, 'tools'>;

/** What is known of the calls of a conversation. It is found out when it is asked for, and once. */
export class CallFacts {
  readonly #calls: readonly PairedCall[];
  readonly #tools: ToolOptions['tools'];
  readonly #isOwn: IsOwnAdvice | undefined;
  readonly #outcomes = new Map<PairedCall, Classification>();
  readonly #identities = new Map<PairedCall, string>();
  readonly #spellings = new Map<string, string>();
  #times: ReadonlyMap<string, number> | undefined;

  constructor(rounds: readonly Round[], { tools }: ToolOptions, isOwn?: IsOwnAdvice) {
    this.#calls = rounds.flatMap(({ calls }) => calls);
    this.#tools = tools;
    this.#isOwn = isOwn;
  }

  /** The result as its message has it; undefined while there is none. */
  resultOf({ call, result }: PairedCall): ToolResult | undefined {
    return result && toolResult(call.tool, result, this.#isOwn);
  }

  /** What became of it; undefined while there is no result. */
  outcomeOf(paired: PairedCall): Classification | undefined {
    const known = this.#outcomes.get(paired);
    const result = known === undefined ? this.resultOf(paired) : undefined;
    if (result === undefined) return known;
    const { changes: _c, mayRepeat: _m, ignoredArguments: _i, ...own } = this.#settingsOf(paired);
    const outcome = classify({ arguments: paired.call.arguments, ...result }, own);
    this.#outcomes.set(paired, outcome);
    return outcome;
  }

  /** The name of its tool; the same for calls that are the same. */
  spellingOf({ call: { tool } }: PairedCall): string {
    let spelling = this.#spellings.get(tool);
    if (spelling === undefined) {
      spelling = spellingOf(tool);
      this.#spellings.set(tool, spelling);
    }
    return spelling;
  }

  /** The same for calls that the advisor takes for the same. */
  identityOf(paired: PairedCall): string {
    let identity = this.#identities.get(paired);
    if (identity === undefined) {
      const { tool, arguments: args } = paired.call;
      const { kind = guessToolKind(tool), ignoredArguments = [] } = this.#settingsOf(paired);
      identity = hashCall({ tool, arguments: args }, kind, ignoredArguments);
      this.#identities.set(paired, identity);
    }
    return identity;
  }

  /** Whether the same call was made more than once. */
  isRepeated(paired: PairedCall): boolean {
    this.#times ??= countEach(this.#calls.map((call) => this.identityOf(call)));
    return (this.#times.get(this.identityOf(paired)) ?? 0) > 1;
  }

  /** Whether it only looked at something, with a shell: that it worked says nothing of what the shell does else. */
  hasLooked(paired: PairedCall): boolean {
    const { tool, arguments: args } = paired.call;
    const nature = natureOf({ tool, arguments: args }, this.#settingsOf(paired));
    return nature.kind === 'shell' && !nature.changes;
  }

  #settingsOf({ call: { tool } }: PairedCall): AdvisedToolSettings {
    return this.#tools !== undefined && Object.hasOwn(this.#tools, tool)
      ? (this.#tools[tool] ?? {})
      : {};
  }
}

function countEach(keys: readonly string[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const key of keys) times.set(key, (times.get(key) ?? 0) + 1);
  return times;
}
