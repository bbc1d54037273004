import { InvalidOptionError } from '../errors.ts';
import type { CircuitMachine } from '../internal/circuit-machine.ts';
import type { MonotonicClock } from '../internal/clock.ts';
import { callId } from '../internal/random.ts';
import { completeCall } from './complete-call.ts';
import { toRawCall } from './define-format.ts';
import { Engine } from './engine.ts';
import type { EngineOptions } from './engine-options.ts';
import { createCounters } from './engine-parser.ts';
import type { EngineParser, ParserCounters } from './engine-parser.ts';
import { EventSink } from './event-sink.ts';
import type { Format } from './format.ts';
import { FORMAT_ALIASES } from './format-aliases.ts';
import { FormatParser } from './format-parser.ts';
import { createIdleCircuit } from './parser-circuit.ts';
import { FallbackParser } from './formats/fallback.ts';
import { Grammar } from './grammar.ts';
import type { ParseLimits } from './limits.ts';
import { OfferedTools } from './offered-tools.ts';
import { PARSE_DEFAULTS } from './parse-options.ts';
import type { ParseOptions } from './parse-options.ts';
import type { ParseIssue } from './parse-issue.ts';
import type { ParseResult } from './parse-result.ts';
import type { ParseSink } from './parse-sink.ts';
import { OrphanEndSink } from './orphan-end-sink.ts';
import { cutCalls, reasoningUpTo, splitReasoning, textOnly } from './plugin-result.ts';
import type { FoundCall, LeadingReasoning } from './plugin-result.ts';
import type { FoundEnd } from './reasoning-tags.ts';
import { PluginReader } from './readers/plugin-reader.ts';
import { ResultCollector } from './result-collector.ts';
import { runPlugin } from './run-plugin.ts';
import { EngineStream, HeldStream } from './stream.ts';
import type { ToolCallStream, ToolCallStreamOptions } from './stream.ts';
import type { ParsedCall, ToolParser } from './tool-parser.ts';

export interface ChainEntry {
  readonly parser: ToolParser;
  readonly name: string;
  readonly priority: number;
  readonly limits: ParseLimits;
  readonly counters: ParserCounters;
  readonly circuit: CircuitMachine;
  attempts: number;
}

interface Plugin {
  readonly parser: ToolParser;
  readonly entry: EngineParser;
  readonly chainEntry: ChainEntry;
}

/** The parsers of a registry as they stood at one moment, ready to read. */
export class ParserChain {
  readonly #grammar: Grammar;
  readonly #engineEntries: ChainEntry[] = [];
  /** Whole-text parsers that name no openings: they are asked once the text is whole. */
  readonly #plugins: Plugin[] = [];
  readonly #ranks = new Map<string, number>();
  readonly #models: (readonly [string, string])[] = [];
  readonly #limits: ParseLimits;
  readonly #clock: MonotonicClock;
  readonly #totals: { fallbacks: number };
  /** Texts not yet counted as attempts. */
  #texts = 0;
  #isRetired = false;
  /** What is wrong with the order, to be reported once. */
  #warning: ParseIssue | undefined;

  /** `entries` in the order they are tried. */
  constructor(
    entries: readonly ChainEntry[],
    limits: ParseLimits,
    clock: MonotonicClock,
    totals: { fallbacks: number },
  ) {
    this.#limits = limits;
    this.#clock = clock;
    this.#totals = totals;
    const parsers: EngineParser[] = [];
    for (const [rank, chainEntry] of entries.entries()) {
      const { parser, name } = chainEntry;
      this.#ranks.set(name, rank);
      // The fallback takes every text, so nothing behind it is ever reached.
      if (parser instanceof FallbackParser) {
        this.#warning = fallbackFirst(name, entries.slice(rank + 1));
        break;
      }
      if (parser instanceof FormatParser) {
        parsers.push({ ...chainEntry, rank, formats: parser.formats });
        for (const model of parser.models) this.#models.push([model, name]);
      } else if (parser.openings === undefined || parser.openings.length === 0) {
        this.#plugins.push({ parser, entry: { ...chainEntry, rank, formats: [] }, chainEntry });
        continue;
      } else parsers.push(this.#openingPlugin(chainEntry, rank, parser.openings));
      this.#engineEntries.push(chainEntry);
    }
    this.#grammar = new Grammar(parsers);
  }

  run(text: string, options: ParseOptions): ParseResult {
    const engineOptions = this.#engineOptions(options);
    this.#countAttempts();
    const collector = new ResultCollector(options.explain ?? PARSE_DEFAULTS.explain);
    this.#warn(collector);
    const orphans = this.#grammar.orphanEnds.mayBeIn(text)
      ? this.#orphanEndSink(collector, options, PARSE_DEFAULTS.startsInReasoning)
      : undefined;
    const engine = new Engine(engineOptions, orphans ?? collector);
    engine.feed(text);
    engine.end();
    orphans?.end();
    const result = this.#askPlugins(text, options, collector.result(), orphans?.orphan);
    if (result.calls.length === 0) this.#totals.fallbacks++;
    return result;
  }

  createStream(options: ToolCallStreamOptions): ToolCallStream {
    const engineOptions = this.#engineOptions(options);
    const { onEvent } = options;
    if (typeof onEvent !== 'function')
      throw new InvalidOptionError('onEvent', 'a function', onEvent);
    if (this.#plugins.length > 0) {
      const { startsInReasoning = false } = options;
      const run = (text: string): ParseResult => this.run(text, { ...options, startsInReasoning });
      return new HeldStream(onEvent, run, this.#limits.maxInputBytes);
    }
    const sink = new EventSink(onEvent);
    return new EngineStream(
      () => {
        this.#countAttempts();
        this.#warn(sink);
        const orphans = this.#orphanEndSink(sink, options, false);
        return { engine: new Engine(engineOptions, orphans ?? sink), orphans };
      },
      (engine) => {
        if (engine.callCount === 0) this.#totals.fallbacks++;
      },
    );
  }

  /** Whole-text parsers that come before the parser whose calls were found have the first word. */
  #askPlugins(
    text: string,
    options: ParseOptions,
    result: ParseResult,
    orphan: FoundEnd | undefined,
  ): ParseResult {
    if (this.#plugins.length === 0) return result;
    const ranks = result.calls.map((call) => this.#ranks.get(call.format) ?? Infinity);
    const found = ranks.reduce((first, rank) => Math.min(first, rank), Infinity);
    const isConsidered = (options.startsInReasoning ?? PARSE_DEFAULTS.startsInReasoning) === 'auto';
    const lead =
      orphan !== undefined && isConsidered
        ? reasoningUpTo(text, orphan)
        : splitReasoning(text, result.segments);
    const issues = [...result.issues];
    const steps = [...(result.explanation ?? [])];
    const finish = (content: Partial<ParseResult>): ParseResult => ({
      ...result,
      ...content,
      issues,
      ...(result.explanation === undefined ? {} : { explanation: steps }),
    });
    for (const { parser, entry, chainEntry } of this.#plugins) {
      if (entry.rank > found) break;
      chainEntry.attempts++;
      const run = runPlugin(parser, entry, lead.rest, options.clock ?? this.#clock);
      if (run.issue !== undefined) issues.push(run.issue);
      const { decision, detail } = run;
      steps.push({ parser: parser.name, offset: 0, opening: '', decision, detail, repairs: [] });
      if (run.isText) return finish(textOnly(lead));
      if (run.calls === undefined) continue;
      const taken = this.#takeCalls(run.calls, parser.name, lead, options, issues);
      if (taken !== undefined) return finish(taken);
    }
    return finish({});
  }

  #takeCalls(
    found: readonly ParsedCall[],
    format: string,
    lead: LeadingReasoning,
    options: ParseOptions,
    issues: ParseIssue[],
  ): Partial<ParseResult> | undefined {
    const tools = offeredTools(options);
    const { unknownTool = PARSE_DEFAULTS.unknownTool } = options;
    const nextId = options.nextId ?? callId;
    const calls = found.map((parsed): FoundCall => {
      const raw = toRawCall(parsed);
      const id = raw.id ?? nextId();
      const call = completeCall(raw, format, id, tools, (message) => {
        issues.push({ code: 'digits-lost', message, offset: 0, parser: format, callId: id });
      });
      const source = parsed.raw === undefined ? {} : { raw: parsed.raw };
      const message = tools?.names.explainUnknown(call.name);
      if (message === undefined || unknownTool === 'call') return { call, ...source };
      const isCall = unknownTool === 'issue';
      const about = isCall ? { parser: format, callId: call.id } : { parser: format };
      issues.push({ code: 'unknown-tool', message, offset: 0, ...about });
      return { call: isCall ? call : undefined, ...source };
    });
    return calls.every(({ call }) => call === undefined) ? undefined : cutCalls(lead, calls);
  }

  /** A whole-text parser as the engine sees it: asked with everything from one of its openings on. */
  #openingPlugin(entry: ChainEntry, rank: number, openings: readonly string[]): EngineParser {
    const asked: EngineParser = { ...entry, rank, formats: [] };
    const format: Format = {
      isPlugin: true,
      openings: openings.map((text) => ({ text, bodyFrom: 0 })),
      createReader: () =>
        new PluginReader((text) => runPlugin(entry.parser, asked, text, this.#clock)),
    };
    // Asking it counts what it does and leaves it out when it keeps failing; the engine must not do so again.
    const counters = createCounters();
    const circuit = createIdleCircuit();
    return { ...asked, formats: [format], counters, circuit };
  }

  /** Looks for the end of reasoning that the text did not begin, where that means anything. */
  #orphanEndSink(
    sink: ParseSink,
    { startsInReasoning, reasoning, callsInReasoning }: ParseOptions,
    byDefault: boolean | 'auto',
  ): OrphanEndSink | undefined {
    const begins = startsInReasoning ?? byDefault;
    if (begins === true || reasoning === 'text' || callsInReasoning === 'read') return undefined;
    const ends = this.#grammar.orphanEnds;
    const maxLength = this.#limits.maxInputBytes;
    return new OrphanEndSink(sink, { ends, holds: begins === 'auto', maxLength });
  }

  #engineOptions(options: ParseOptions): EngineOptions {
    const { nextId = callId } = options;
    return {
      grammar: this.#grammar,
      limits: this.#limits,
      clock: options.clock ?? this.#clock,
      nextId: () => nextId(),
      tools: offeredTools(options),
      preferred: this.#preferred(options),
      startsInReasoning: options.startsInReasoning === true,
      separatesReasoning: (options.reasoning ?? PARSE_DEFAULTS.reasoning) === 'separate',
      callsInReasoning: options.callsInReasoning ?? PARSE_DEFAULTS.callsInReasoning,
      unknownTool: options.unknownTool ?? PARSE_DEFAULTS.unknownTool,
      bareCalls: options.bareCalls ?? PARSE_DEFAULTS.bareCalls,
      keepsIncomplete: (options.incompleteCalls ?? PARSE_DEFAULTS.incompleteCalls) === 'call',
    };
  }

  #preferred({ format, model }: ParseOptions): string | undefined {
    if (format !== undefined) {
      const known = [format, FORMAT_ALIASES.get(format)].find(
        (name) => name !== undefined && this.#ranks.has(name),
      );
      if (known !== undefined) return known;
      throw new InvalidOptionError(
        'format',
        `one of ${[...this.#ranks.keys()].join(', ')}`,
        format,
      );
    }
    if (model === undefined) return undefined;
    const wanted = model.toLowerCase();
    // `qwen3-coder` says more than `qwen`.
    const matching = this.#models.filter(([part]) => wanted.includes(part));
    return matching.sort(([a], [b]) => b.length - a.length)[0]?.[1];
  }

  #warn(sink: ParseSink): void {
    if (this.#warning !== undefined) sink.issue(this.#warning);
    this.#warning = undefined;
  }

  /** Counts a text for every parser; for all of them at once, since nobody asks in between. */
  #countAttempts(): void {
    this.#texts++;
    if (this.#isRetired) this.addAttempts();
  }

  /** Adds the texts read so far to the attempts of the parsers. */
  addAttempts(): void {
    for (const entry of this.#engineEntries) entry.attempts += this.#texts;
    this.#texts = 0;
  }

  /** The registry has changed: only streams that began before go on with this. */
  retire(): void {
    this.#isRetired = true;
    this.addAttempts();
  }
}

/** A fallback takes every text: the parsers after it are never tried. */
function fallbackFirst(parser: string, after: readonly ChainEntry[]): ParseIssue | undefined {
  if (after.length === 0) return undefined;
  const names = after.map(({ name }) => name).join(', ');
  const message = `${parser} takes every text, so that ${names} are never tried: give it the priority that comes last, or create the registry with the other order, as new ParserRegistry({ order: 'lowest-first' })`;
  return { code: 'fallback-first', message, offset: 0, parser };
}

function offeredTools({ tools }: ParseOptions): OfferedTools | undefined {
  return tools === undefined ? undefined : OfferedTools.of(tools);
}
