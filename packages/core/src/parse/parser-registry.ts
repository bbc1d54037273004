import { HoldfastError, InvalidOptionError } from '../errors.ts';
import { systemClock } from '../internal/clock.ts';
import { checkOptions, object, oneOf } from '../internal/check-options.ts';
import type { OptionRule } from '../internal/check-options.ts';
import type { MonotonicClock } from '../internal/clock.ts';
import { checkText } from './check-text.ts';
import { ParserChain } from './parser-chain.ts';
import type { ChainEntry } from './parser-chain.ts';
import { createParserCircuit } from './parser-circuit.ts';
import { createCounters } from './engine-parser.ts';
import { nearestNames } from '../internal/tool-names.ts';
import { FORMAT_ALIASES } from './format-aliases.ts';
import { DEFAULT_LIMITS, resolveLimits } from './limits.ts';
import type { ParseLimits } from './limits.ts';
import { checkParseOptions, isClock, NO_OPTIONS } from './parse-options.ts';
import type { ParseOptions } from './parse-options.ts';
import type { ParseIssue } from './parse-issue.ts';
import type { ParseResult, Segment } from './parse-result.ts';
import type { ToolCallStream, ToolCallStreamOptions } from './stream.ts';
import { isParser } from './tool-parser.ts';
import type { ToolParser } from './tool-parser.ts';
import type { ToolCall } from '../types.ts';

/** How a registry tries its parsers. */
export interface ParserRegistryOptions {
  /** Which end of the priorities is tried first. @defaultValue 'highest-first' */
  readonly order?: 'highest-first' | 'lowest-first';
  /** Limits of every parser that has none of its own. */
  readonly limits?: Partial<ParseLimits>;
  /** Where time comes from. @defaultValue the system's monotonic clock */
  readonly clock?: MonotonicClock;
}

/** What `parseWithFallback` returns: calls, or the text as it is. */
export type FallbackResult =
  | {
      readonly type: 'tool_calls';
      /** The parser whose calls these are; with several, the first in the text. */
      readonly parser: string;
      readonly calls: readonly ToolCall[];
      /** The text around the calls. */
      readonly text: string;
      readonly reasoning: string;
      readonly segments: readonly Segment[];
      readonly issues: readonly ParseIssue[];
    }
  | { readonly type: 'text'; readonly content: string; readonly issues: readonly ParseIssue[] };

/** What a parser of a registry has done so far. */
export interface ParserMetrics {
  /** Texts it was tried on. */
  readonly attempts: number;
  /** Openings of it that were found, or texts its `canParse` said yes to. */
  readonly detections: number;
  /** Detections that were read as calls. */
  readonly successes: number;
  /** Detections that were not. */
  readonly failures: number;
  /** Times it was left out: over a limit, or failing too often. */
  readonly skipped: number;
  readonly totalMs: number;
  readonly maxMs: number;
}

/** What a registry has done so far. */
export interface RegistryMetrics {
  readonly parsers: Readonly<Record<string, ParserMetrics>>;
  /** Texts that held no call. */
  readonly fallbacks: number;
}

export const REGISTRY_RULES: Readonly<Record<keyof ParserRegistryOptions, OptionRule>> = {
  order: oneOf('highest-first', 'lowest-first'),
  limits: object,
  clock: isClock,
};

/** How many selections of parsers are kept ready. */
const MAX_NARROWED = 32;

/**
 * The parsers in use and their order. It may be changed at any time: what is already being read keeps the
 * parsers it began with.
 */
export class ParserRegistry {
  readonly #order: 'highest-first' | 'lowest-first';
  readonly #limits: ParseLimits;
  readonly #clock: MonotonicClock;
  #entries: readonly ChainEntry[] = [];
  #chain: ParserChain | undefined;
  /** Chains of some of the parsers, by their names. */
  readonly #narrowed = new Map<string, ParserChain>();
  readonly #totals = { fallbacks: 0 };

  constructor(options: ParserRegistryOptions = {}) {
    checkOptions(options, REGISTRY_RULES, 'registry');
    const { order = 'highest-first', limits, clock = systemClock } = options;
    this.#order = order;
    this.#limits = resolveLimits(limits, DEFAULT_LIMITS);
    this.#clock = clock;
  }

  /** Adds a parser. Those of equal priority are tried in the order they were registered. */
  register(parser: ToolParser, priority: number): this {
    const expected = isParser(parser);
    if (expected !== undefined) throw new InvalidOptionError('parser', expected, parser);
    if (!Number.isFinite(priority)) throw new InvalidOptionError('priority', 'a number', priority);
    if (this.#entries.some(({ name }) => name === parser.name)) {
      const message = `a parser named ${JSON.stringify(parser.name)} is registered already; unregister it first`;
      throw new HoldfastError('duplicate-parser', message);
    }
    const entry: ChainEntry = {
      parser,
      name: parser.name,
      priority,
      limits: resolveLimits(parser.limits, this.#limits),
      counters: createCounters(),
      attempts: 0,
      circuit: createParserCircuit(),
    };
    const sign = this.#order === 'highest-first' ? -1 : 1;
    this.#entries = [...this.#entries, entry].sort((a, b) => sign * (a.priority - b.priority));
    this.#retireChain();
    return this;
  }

  /** Removes a parser. Returns whether there was one of that name. */
  unregister(name: string): boolean {
    const rest = this.#entries.filter((entry) => entry.name !== name);
    const isFound = rest.length < this.#entries.length;
    this.#entries = rest;
    this.#retireChain();
    return isFound;
  }

  /** The parsers in the order they are tried. */
  list(): readonly {
    readonly name: string;
    readonly priority: number;
    readonly parser: ToolParser;
  }[] {
    return this.#entries.map(({ name, priority, parser }) => ({ name, priority, parser }));
  }

  /** Reads a whole text. */
  parse(text: string, options: ParseOptions = NO_OPTIONS): ParseResult {
    checkText(text);
    return this.#chainFor(options).run(text, options);
  }

  /** The calls in a text, or the text: this always succeeds. */
  parseWithFallback(text: string, options: ParseOptions = NO_OPTIONS): FallbackResult {
    const { calls, segments, issues, reasoning, text: around } = this.parse(text, options);
    const first = calls[0];
    if (first === undefined) return { type: 'text', content: text, issues };
    return {
      type: 'tool_calls',
      parser: first.format,
      calls,
      text: around,
      reasoning,
      segments,
      issues,
    };
  }

  /** Reads a text as it arrives. */
  createStream(options: ToolCallStreamOptions): ToolCallStream {
    return this.#chainFor(options).createStream(options);
  }

  metrics(): RegistryMetrics {
    for (const chain of this.#chains()) chain.addAttempts();
    const parsers = Object.fromEntries(
      this.#entries.map(({ name, attempts, counters }) => [name, { attempts, ...counters }]),
    );
    return { parsers, fallbacks: this.#totals.fallbacks };
  }

  #retireChain(): void {
    for (const chain of this.#chains()) chain.retire();
    this.#chain = undefined;
    this.#narrowed.clear();
  }

  #chains(): readonly ParserChain[] {
    return this.#chain === undefined
      ? [...this.#narrowed.values()]
      : [this.#chain, ...this.#narrowed.values()];
  }

  #chainFor(options: ParseOptions): ParserChain {
    checkParseOptions(options);
    const { formats } = options;
    return formats === undefined ? this.#current() : this.#narrow(formats);
  }

  #narrow(formats: readonly string[]): ParserChain {
    const isOwn = (name: string): boolean => this.#entries.some((entry) => entry.name === name);
    const resolved = formats.map((name) =>
      isOwn(name) ? name : (FORMAT_ALIASES.get(name) ?? name),
    );
    const names = [...new Set(resolved)].sort();
    const key = JSON.stringify(names);
    const known = this.#narrowed.get(key);
    if (known !== undefined) return known;
    const entries = this.#entries.filter(({ name }) => names.includes(name));
    if (entries.length < names.length) {
      const all = this.#entries.map(({ name }) => name);
      const unknown = names.find((name) => !all.includes(name)) ?? '';
      const near = nearestNames(unknown, [...all, ...FORMAT_ALIASES.keys()]);
      const meant =
        near.length > 0 ? `did you mean ${near.join(' or ')}?` : `known formats: ${all.join(', ')}`;
      throw new InvalidOptionError('formats', `names of formats (${meant})`, unknown);
    }
    if (this.#narrowed.size >= MAX_NARROWED) {
      for (const chain of this.#narrowed.values()) chain.retire();
      this.#narrowed.clear();
    }
    const chain = new ParserChain(entries, this.#limits, this.#clock, this.#totals);
    this.#narrowed.set(key, chain);
    return chain;
  }

  #current(): ParserChain {
    this.#chain ??= new ParserChain(this.#entries, this.#limits, this.#clock, this.#totals);
    return this.#chain;
  }
}
