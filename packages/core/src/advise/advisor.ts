import type { AdvisedCall } from './advised-call.ts';
import type { Advice, AdvicePart, AfterAdvice, BeforeAdvice } from './advice.ts';
import { ADVICE_MAP } from './advice-map.ts';
import { AdviceTable } from './advice-table.ts';
import { askUserText, joinAdvice, LOG_PREFIX, vetoText } from './advice-text.ts';
import type { AdvisorEvent } from './advisor-event.ts';
import type { AdvisedToolSettings, AdvisorOptions } from './advisor-options.ts';
import { ADVISOR_DEFAULTS, checkAdvisorOptions } from './advisor-options.ts';
import type { AdvisorState } from './advisor-state.ts';
import { EMPTY_STATE, STATE_BOUNDS } from './advisor-state.ts';
import type { CallNature } from './call-nature.ts';
import { natureOf } from './call-nature.ts';
import type { Classification, ToolResult } from './classification.ts';
import { classify } from './classify/classify.ts';
import type { ToolSettings } from './classify/tool-settings.ts';
import { UNKNOWN } from './classify/verdict.ts';
import { findVeto } from './find-veto.ts';
import type { AdviceMeans } from './give-advice.ts';
import { giveAdvice } from './give-advice.ts';
import { withLast } from './history.ts';
import { isCounted, isNoOutcome } from './is-counted.ts';
import { hashCall, hashError, hashResult } from './loops/fingerprints.ts';
import { readAdvisorState } from './read-advisor-state.ts';
import { recordCall } from './record-call.ts';
import { beginCall, dropCall, endCall } from './rounds.ts';
import { sayOnce } from './said.ts';

/** After this many vetoes of a call it runs, and the model is told to ask the user. */
const MOST_VETOES = 3;

/**
 * Watches the tool calls of one conversation: counts failures, notices loops, and says what the model should do
 * next. It never throws and never waits; when it goes wrong itself, it reports that and the call goes on.
 */
export class Advisor {
  readonly #options: AdvisorOptions;
  readonly #means: AdviceMeans;
  #state: AdvisorState = EMPTY_STATE;

  constructor(options: AdvisorOptions = {}) {
    checkAdvisorOptions(options);
    this.#options = options;
    this.#means = {
      toolThreshold: options.toolThreshold ?? ADVISOR_DEFAULTS.toolThreshold,
      stepBackFailures: options.stepBackFailures ?? ADVISOR_DEFAULTS.stepBackFailures,
      stepBackWindow: options.stepBackWindow ?? ADVISOR_DEFAULTS.stepBackWindow,
      rearmSuccesses: options.rearmSuccesses ?? ADVISOR_DEFAULTS.rearmSuccesses,
      table: new AdviceTable(ADVICE_MAP, options.advice ?? []),
      toolNames: options.toolNames ?? [],
    };
  }

  /** An advisor that goes on where another stopped. What is not a state, or only partly, is left out. */
  static restore(state: unknown, options: AdvisorOptions = {}): Advisor {
    const advisor = new Advisor(options);
    advisor.#state = readAdvisorState(state);
    return advisor;
  }

  /** All that is remembered: plain JSON, never changed in place. Keep it under `ADVISOR_STATE_KEY`. */
  get state(): AdvisorState {
    return this.#state;
  }

  /** Call it before a tool runs. A veto means that it should not. */
  before(call: AdvisedCall): BeforeAdvice {
    try {
      return this.#before(call);
    } catch (error) {
      this.#tell({ type: 'advisor-failed', at: 'before', error });
      return {};
    }
  }

  /** Call it when a call has ended, however it ended. */
  after(call: AdvisedCall, result: ToolResult | Classification): AfterAdvice {
    const classification = this.#classify(call, result);
    try {
      const advice = this.#after(call, result, classification);
      return advice === undefined ? { classification } : { classification, advice };
    } catch (error) {
      this.#tell({ type: 'advisor-failed', at: 'after', error });
      return { classification };
    }
  }

  /** The user wrote something: what looked like a loop may be what is wanted now. Failures in a row stay. */
  userSpoke(): void {
    this.#state = {
      ...this.#state,
      calls: [],
      said: [],
      vetoes: [],
      pending: [],
      roundIsOpen: false,
    };
  }

  #before(call: AdvisedCall): BeforeAdvice {
    const { nature, hash } = this.#look(call);
    this.#state = { ...this.#state, ...beginCall(this.#state, call, hash) };
    const queued = this.#takeQueued();
    const reason =
      this.#options.veto === 'on'
        ? findVeto(this.#state.calls, call.tool, hash, nature)
        : undefined;
    if (reason === undefined) return queued === undefined ? {} : { advice: queued };

    const times = this.#state.vetoes.find((veto) => veto.call === hash)?.times ?? 0;
    if (times >= MOST_VETOES) {
      const parts = [...this.#askUser(call.tool, hash), ...(queued?.parts ?? [])];
      return parts.length === 0 ? {} : { advice: joinAdvice(parts) };
    }
    const others = this.#state.vetoes.filter((veto) => veto.call !== hash);
    const vetoes = withLast(others, { call: hash, times: times + 1 }, STATE_BOUNDS.vetoes);
    this.#state = { ...this.#state, ...dropCall(this.#state, call, hash), vetoes };
    const text = vetoText(call.tool, reason.why);
    const veto = { rule: reason.rule, text, log: LOG_PREFIX + text };
    this.#tell({ type: 'call-vetoed', tool: call.tool, rule: reason.rule, log: veto.log });
    return queued === undefined ? { veto } : { veto, advice: queued };
  }

  #askUser(tool: string, hash: string): readonly AdvicePart[] {
    const said = sayOnce(this.#state.said, hash, 'ask-the-user', this.#state.round);
    if (said === undefined) return [];
    this.#state = { ...this.#state, said };
    const parts: readonly AdvicePart[] = [{ rule: 'ask-the-user', text: askUserText(tool) }];
    this.#give(tool, joinAdvice(parts));
    return parts;
  }

  #takeQueued(): Advice | undefined {
    const { queued } = this.#state;
    if (queued === null) return undefined;
    this.#state = { ...this.#state, queued: null };
    return queued;
  }

  #after(
    call: AdvisedCall,
    result: ToolResult | Classification,
    classification: Classification,
  ): Advice | undefined {
    const { nature, hash } = this.#look(call);
    const { own: round, rounds } = endCall(this.#state, call, hash);
    this.#state = { ...this.#state, ...rounds };
    if (isNoOutcome(classification)) return undefined;
    const told = isClassification(result) ? undefined : result;
    const ended = {
      tool: call.tool,
      hash,
      nature,
      round,
      classification,
      resultHash: hashResult(told, classification, nature.kind === 'api' && nature.changes),
      errorHash: isCounted(classification) ? hashError(call.tool, classification) : '',
      output: told?.output ?? '',
    };
    const recorded = recordCall(this.#state, ended, this.#means);
    // What is recorded stays so even if speaking goes wrong.
    this.#state = recorded;
    const { state, parts } = giveAdvice(recorded, ended, this.#means);
    this.#state = state;
    if (parts.length === 0) return undefined;
    const advice = this.#give(call.tool, joinAdvice(parts));
    if (this.#options.speakAt !== 'before') return advice;
    this.#state = { ...this.#state, queued: advice };
    return undefined;
  }

  #classify(call: AdvisedCall, result: ToolResult | Classification): Classification {
    try {
      if (isClassification(result)) return result;
      const given =
        call.arguments === undefined ? result : { arguments: call.arguments, ...result };
      return classify(given, this.#settingsOf(call.tool).own);
    } catch (error) {
      this.#tell({ type: 'advisor-failed', at: 'classify', error });
      return UNKNOWN;
    }
  }

  #look(call: AdvisedCall): { readonly nature: CallNature; readonly hash: string } {
    const { own, ours } = this.#settingsOf(call.tool);
    const nature = natureOf(call, { ...own, ...ours });
    return { nature, hash: hashCall(call, nature.kind, ours.ignoredArguments ?? []) };
  }

  /** The settings of a tool: those of `classify`, and those that only the advisor reads. */
  #settingsOf(tool: string): {
    readonly own: ToolSettings;
    readonly ours: Omit<AdvisedToolSettings, keyof ToolSettings>;
  } {
    const { tools } = this.#options;
    const settings = tools !== undefined && Object.hasOwn(tools, tool) ? tools[tool] : undefined;
    if (settings === undefined) return NO_SETTINGS;
    const { changes, mayRepeat, ignoredArguments, ...own } = settings;
    return {
      own,
      ours: {
        ...(changes !== undefined && { changes }),
        ...(mayRepeat !== undefined && { mayRepeat }),
        ...(ignoredArguments !== undefined && { ignoredArguments }),
      },
    };
  }

  #give(tool: string, advice: Advice): Advice {
    const rules = advice.parts.map(({ rule }) => rule);
    this.#tell({ type: 'advice-given', tool, rules, log: advice.log });
    return advice;
  }

  #tell(event: AdvisorEvent): void {
    try {
      this.#options.onEvent?.(event);
    } catch {
      // A listener that throws is not the tool call's problem.
    }
  }
}

/** A result has an HTTP status there, if any: a number. */
function isClassification(result: ToolResult | Classification): result is Classification {
  return typeof result.status === 'string';
}

/** Of a tool that nobody told anything about. */
const NO_SETTINGS = Object.freeze({ own: Object.freeze({}), ours: Object.freeze({}) });
