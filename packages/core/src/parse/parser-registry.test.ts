import { describe, expect, test } from 'vitest';
import { InvalidOptionError } from '../errors.ts';
import { createDefaultRegistry } from './default-registry.ts';
import { defineFormat } from './define-format.ts';
import { CommentaryToolParser } from './formats/commentary.ts';
import { CustomToolParser } from './formats/custom.ts';
import { FallbackParser } from './formats/fallback.ts';
import { OpenAIToolParser } from './formats/openai.ts';
import { QwenToolParser } from './formats/qwen.ts';
import type { ParseEvent } from './parse-event.ts';
import { ParserRegistry } from './parser-registry.ts';
import type { ParsedCall, ToolParser } from './tool-parser.ts';

const CALL = '<tool_call>{"name": "ls", "arguments": {"path": "."}}</tool_call>';

/** A whole-text parser that does as it is told. */
function plugin(name: string, behaviour: Partial<ToolParser> = {}): ToolParser & { asked: number } {
  const parser = {
    name,
    asked: 0,
    canParse: () => true,
    parse: (): readonly ParsedCall[] | null => [{ name: `${name}-tool`, arguments: {} }],
    validate: () => true,
    ...behaviour,
  };
  return {
    ...parser,
    get asked() {
      return parser.asked;
    },
    parse(text: string) {
      parser.asked++;
      return parser.parse(text);
    },
  };
}

/** A clock that moves only when it is told to. */
function manualClock(): { now: () => number; advance: (ms: number) => void } {
  let now = 0;
  return {
    now: () => now,
    advance: (ms) => {
      now += ms;
    },
  };
}

describe('priority order', () => {
  test('tries the highest priority first', () => {
    const registry = new ParserRegistry().register(plugin('low'), 10).register(plugin('high'), 90);
    expect(registry.list().map(({ name }) => name)).toEqual(['high', 'low']);
    expect(registry.parseWithFallback('x')).toMatchObject({ type: 'tool_calls', parser: 'high' });
  });

  test('tries the lowest first when told to', () => {
    const registry = new ParserRegistry({ order: 'lowest-first' })
      .register(plugin('b'), 20)
      .register(plugin('a'), 10);
    expect(registry.parseWithFallback('x')).toMatchObject({ parser: 'a' });
  });

  test('tries equal priorities in the order they were registered', () => {
    const registry = new ParserRegistry()
      .register(plugin('first'), 50)
      .register(plugin('second'), 50);
    expect(registry.parseWithFallback('x')).toMatchObject({ parser: 'first' });
  });

  const SEEDS = new Set(['qwen', 'openai', 'commentary', 'custom', 'fallback']);

  test('holds the built-in parsers in the documented order', () => {
    expect(
      createDefaultRegistry()
        .list()
        .filter(({ name }) => SEEDS.has(name))
        .map(({ name, priority }) => [name, priority]),
    ).toEqual([
      ['qwen', 110],
      ['openai', 100],
      ['commentary', 50],
      ['custom', 25],
      ['fallback', 1],
    ]);
  });

  test('builds the registry of either document by hand', () => {
    const four = new ParserRegistry()
      .register(new OpenAIToolParser(), 100)
      .register(new CommentaryToolParser(), 50)
      .register(new CustomToolParser(), 25)
      .register(new FallbackParser(), 1);
    expect(four.parseWithFallback('[TOOL_CALL]{"name": "ls"}[/TOOL_CALL]')).toMatchObject({
      parser: 'commentary',
    });
    const three = new ParserRegistry({ order: 'lowest-first' })
      .register(new QwenToolParser(), 10)
      .register(new OpenAIToolParser(), 20)
      .register(new FallbackParser(), 100);
    expect(three.parseWithFallback(CALL)).toMatchObject({ parser: 'qwen' });
    expect(three.parseWithFallback('just text')).toMatchObject({
      type: 'text',
      content: 'just text',
    });
  });

  test('lets a plugin above a format have the first word, and one below it the last', () => {
    const above = createDefaultRegistry().register(plugin('mine'), 120);
    expect(above.parseWithFallback(CALL)).toMatchObject({ parser: 'mine' });
    const below = createDefaultRegistry().register(plugin('mine'), 60);
    expect(below.parseWithFallback(CALL)).toMatchObject({ parser: 'qwen' });
    expect(below.parseWithFallback('no call')).toMatchObject({ parser: 'mine' });
  });

  test('never asks what is registered behind the fallback', () => {
    const late = plugin('late');
    const registry = new ParserRegistry().register(new FallbackParser(), 50).register(late, 10);
    expect(registry.parseWithFallback('x')).toMatchObject({ type: 'text' });
    expect(late.asked).toBe(0);
  });
});

describe('the chain', () => {
  test('goes on when canParse says no, parse returns null or nothing, or validate refuses', () => {
    const registry = new ParserRegistry()
      .register(plugin('blind', { canParse: () => false }), 90)
      .register(plugin('null', { parse: () => null }), 80)
      .register(plugin('empty', { parse: () => [] }), 70)
      .register(plugin('strict', { validate: () => false }), 60)
      .register(plugin('last'), 50);
    expect(registry.parseWithFallback('x')).toMatchObject({ type: 'tool_calls', parser: 'last' });
  });

  test('stops at the first success', () => {
    const second = plugin('second');
    const registry = new ParserRegistry().register(plugin('first'), 90).register(second, 80);
    registry.parseWithFallback('x');
    expect(second.asked).toBe(0);
  });

  test('returns the text as it is when nobody finds a call, with or without a fallback', () => {
    for (const registry of [
      new ParserRegistry(),
      new ParserRegistry().register(new FallbackParser(), 1),
    ]) {
      expect(registry.parseWithFallback('  plain \n text ')).toEqual({
        type: 'text',
        content: '  plain \n text ',
        issues: [],
      });
    }
  });

  test('goes on past a parser that throws, and reports it', () => {
    const broken = plugin('broken', {
      parse: () => {
        throw new Error('boom');
      },
    });
    const registry = new ParserRegistry().register(broken, 90).register(plugin('next'), 80);
    const result = registry.parseWithFallback('x');
    expect(result).toMatchObject({ parser: 'next' });
    expect(result.issues).toMatchObject([
      { code: 'parser-threw', message: 'the parser broken threw: boom' },
    ]);
  });

  test('goes on past a parser that returns something else', () => {
    const odd = [[{ name: 1, arguments: {} }], [{ name: 'f' }], 'text', Promise.resolve([])];
    for (const value of odd) {
      const registry = new ParserRegistry().register(
        plugin('odd', { parse: () => value as never }),
        90,
      );
      const result = registry.parseWithFallback('x');
      expect(result).toMatchObject({ type: 'text', content: 'x' });
      expect(result.issues).toMatchObject([{ code: 'invalid-calls' }]);
    }
  });

  test('discards a result that came too late, in the words of the timeout', () => {
    const clock = manualClock();
    const slow = plugin('slow', {
      parse: () => {
        clock.advance(123.4);
        return [{ name: 'late', arguments: {} }];
      },
    });
    const result = new ParserRegistry({ clock })
      .register(slow, 90)
      .register(plugin('next'), 80)
      .parseWithFallback('x');
    expect(result).toMatchObject({ parser: 'next' });
    expect(result.issues).toMatchObject([
      { code: 'parse-timeout', message: 'Parse timeout exceeded: 123.4ms > 100ms' },
    ]);
  });

  test('skips a parser whose limit the text exceeds, in the words of the size', () => {
    const small = { ...plugin('small'), limits: { maxCallBytes: 4 } };
    const result = new ParserRegistry().register(small, 90).parseWithFallback('größer');
    expect(result).toMatchObject({ type: 'text' });
    expect(result.issues).toMatchObject([
      { code: 'call-too-large', message: 'Parse size exceeded: 8 bytes > 4 bytes' },
    ]);
  });

  test('gives each parser its own limits over those of the registry', () => {
    const registry = new ParserRegistry({ limits: { maxCallBytes: 10 } })
      .register(new QwenToolParser({ maxCallBytes: 1000 }), 90)
      .register(new CommentaryToolParser(), 50);
    expect(registry.parseWithFallback(CALL)).toMatchObject({ type: 'tool_calls' });
    const result = registry.parseWithFallback('[TOOL_CALL]{"name": "ls"}[/TOOL_CALL]');
    expect(result).toMatchObject({ type: 'text' });
    expect(result.issues).toMatchObject([{ code: 'call-too-large', parser: 'commentary' }]);
  });

  test('carries the text around the calls', () => {
    expect(createDefaultRegistry().parseWithFallback(`Let me look.\n${CALL}\nDone.`)).toMatchObject(
      {
        type: 'tool_calls',
        text: 'Let me look.\n\nDone.',
        calls: [{ name: 'ls', arguments: { path: '.' } }],
      },
    );
  });

  test('cuts the source a plugin names out of the text, and takes the whole text where it names none', () => {
    const naming = plugin('naming', {
      parse: () => [{ name: 'ls', arguments: {}, raw: 'RUN ls' }],
    });
    const named = new ParserRegistry().register(naming, 90).parse('I say RUN ls now');
    expect(named).toMatchObject({
      text: 'I say  now',
      segments: [{ raw: 'I say ' }, { raw: 'RUN ls' }, { raw: ' now' }],
    });
    const whole = new ParserRegistry().register(plugin('vague'), 90).parse('I say RUN ls now');
    expect(whole).toMatchObject({
      text: '',
      segments: [{ type: 'calls', raw: 'I say RUN ls now' }],
    });
  });
});

describe('a parser that keeps failing', () => {
  function failing(): {
    registry: ParserRegistry;
    clock: ReturnType<typeof manualClock>;
    heal: () => void;
    parser: { asked: number };
  } {
    const clock = manualClock();
    let isBroken = true;
    const parser = plugin('flaky', {
      parse: () => {
        if (isBroken) throw new Error('down');
        return [{ name: 'up', arguments: {} }];
      },
    });
    const registry = new ParserRegistry({ clock }).register(parser, 90);
    return { registry, clock, heal: () => (isBroken = false), parser };
  }

  test('is left out after five failures in a row, and plain text still comes back', () => {
    const { registry, parser } = failing();
    for (let time = 0; time < 8; time++) {
      expect(registry.parseWithFallback('text')).toMatchObject({ type: 'text', content: 'text' });
    }
    expect(parser.asked).toBe(5);
    expect(registry.parseWithFallback('text').issues).toMatchObject([{ code: 'parser-skipped' }]);
    expect(registry.metrics().parsers['flaky']).toMatchObject({ failures: 5, skipped: 4 });
  });

  test('is tried once more after a minute, and stays in use when it works again', () => {
    const { registry, clock, heal, parser } = failing();
    for (let time = 0; time < 6; time++) registry.parseWithFallback('text');
    clock.advance(60_000);
    registry.parseWithFallback('text');
    expect(parser.asked).toBe(6);
    registry.parseWithFallback('text');
    expect(parser.asked).toBe(6);
    heal();
    clock.advance(60_000);
    expect(registry.parseWithFallback('text')).toMatchObject({ parser: 'flaky' });
    expect(registry.parseWithFallback('text')).toMatchObject({ parser: 'flaky' });
  });

  test('is left out the same way when its format reads as the text arrives', () => {
    const format = defineFormat({
      name: 'fragile',
      open: '<<',
      close: '>>',
      body: () => {
        throw new Error('down');
      },
    });
    const registry = new ParserRegistry().register(format, 90);
    const codes = Array.from({ length: 6 }, () => registry.parse('a <<b>> c').issues[0]?.code);
    expect(codes).toEqual([...Array<string>(5).fill('parser-threw'), 'parser-skipped']);
    expect(registry.parse('a <<b>> c').text).toBe('a <<b>> c');
  });

  test('is left out and tried again the same way when it names openings', () => {
    const clock = manualClock();
    let isBroken = true;
    const parser = plugin('flaky', {
      openings: ['RUN '],
      parse: () => {
        if (isBroken) throw new Error('down');
        return [{ name: 'up', arguments: {} }];
      },
    });
    const registry = new ParserRegistry({ clock }).register(parser, 90);
    const codes = Array.from({ length: 6 }, () => registry.parse('RUN ls').issues[0]?.code);
    expect(codes).toEqual([...Array<string>(5).fill('parser-threw'), 'parser-skipped']);
    expect(parser.asked).toBe(5);
    isBroken = false;
    clock.advance(60_000);
    expect(registry.parse('RUN ls').calls).toMatchObject([{ name: 'up' }]);
  });
});

describe('registration', () => {
  test('refuses a name twice, naming it', () => {
    const registry = new ParserRegistry().register(plugin('twin'), 1);
    expect(() => registry.register(plugin('twin'), 2)).toThrow(
      'a parser named "twin" is registered already',
    );
  });

  test('refuses what cannot work, naming it', () => {
    expect(() => new ParserRegistry().register(plugin('x'), Number.NaN)).toThrow(
      'priority: expected a number, got NaN',
    );
    expect(() => new ParserRegistry({ order: 'random' as never })).toThrow('order: expected');
    expect(() => new ParserRegistry({ limits: { timeoutMs: -1 } })).toThrow(
      'timeoutMs: expected a number above 0, got -1',
    );
    expect(() => new ParserRegistry({ limits: { timeout: 1 } as never })).toThrow(
      'limits: expected only maxCallBytes',
    );
  });

  test('removes a parser by name and says whether there was one', () => {
    const registry = new ParserRegistry().register(new QwenToolParser(), 1);
    expect(registry.unregister('qwen')).toBe(true);
    expect(registry.unregister('qwen')).toBe(false);
    expect(registry.parseWithFallback(CALL)).toMatchObject({ type: 'text' });
  });

  test('leaves streams with the parsers they began with', () => {
    const registry = createDefaultRegistry();
    const names = (events: readonly ParseEvent[]): string[] =>
      events.flatMap((event) => (event.type === 'call-end' ? [event.call.name] : []));
    const streams = Array.from({ length: 20 }, (_, index) => {
      const events: ParseEvent[] = [];
      const stream = registry.createStream({ onEvent: (event) => events.push(event) });
      if (index % 2 === 0) registry.unregister('commentary');
      else registry.register(new CommentaryToolParser(), 50);
      return { stream, events, reads: index % 2 === 0 };
    });
    const text = '[TOOL_CALL]{"name": "ls"}[/TOOL_CALL]';
    // All streams read at once, one character each in turn.
    for (const character of text) for (const { stream } of streams) stream.feed(character);
    for (const { stream, events, reads } of streams) {
      stream.end();
      expect(names(events)).toEqual(reads ? ['ls'] : []);
    }
  });
});

describe('streams', () => {
  function collect(registry: ParserRegistry, chunks: readonly string[]): ParseEvent[] {
    const events: ParseEvent[] = [];
    const stream = registry.createStream({
      onEvent: (event) => events.push(event),
      nextId: () => 'id',
    });
    for (const chunk of chunks) stream.feed(chunk);
    stream.end();
    return events;
  }

  test('wait for their end when a plugin names no openings', () => {
    const registry = createDefaultRegistry().register(
      plugin('mine', { canParse: () => false }),
      120,
    );
    const events: ParseEvent[] = [];
    const stream = registry.createStream({ onEvent: (event) => events.push(event) });
    stream.feed('some text ');
    expect(events).toEqual([]);
    stream.feed('more');
    stream.end();
    expect(events).toEqual([{ type: 'text-delta', text: 'some text more' }]);
  });

  test('hold back only what follows an opening that a plugin names', () => {
    const mine = {
      ...plugin('mine', { parse: (text) => [{ name: text.slice(4), arguments: {} }] }),
      openings: ['RUN '],
    };
    const events = collect(createDefaultRegistry().register(mine, 120), [
      'before ',
      'RU',
      'N l',
      's',
    ]);
    expect(events[0]).toEqual({ type: 'text-delta', text: 'before ' });
    expect(events.at(-1)).toMatchObject({
      type: 'call-end',
      raw: 'RUN ls',
      call: { name: 'ls', format: 'mine' },
    });
  });

  test('start anew after a reset and after their end', () => {
    const events: ParseEvent[] = [];
    const stream = createDefaultRegistry().createStream({ onEvent: (event) => events.push(event) });
    stream.feed('<tool_call>{"name":');
    stream.reset();
    stream.feed('one');
    stream.end();
    stream.feed('two');
    stream.end();
    expect(events).toEqual([
      { type: 'text-delta', text: 'one' },
      { type: 'text-delta', text: 'two' },
    ]);
  });

  test('refuse to begin without a listener', () => {
    expect(() => createDefaultRegistry().createStream({} as never)).toThrow(
      'onEvent: expected a function, got undefined',
    );
  });
});

describe('metrics', () => {
  test('count attempts, detections, successes, failures and fallbacks', () => {
    const registry = createDefaultRegistry();
    registry.parse(CALL + CALL);
    registry.parse('<tool_call>nothing');
    registry.parse('plain');
    const metrics = registry.metrics();
    expect(metrics.fallbacks).toBe(2);
    expect(metrics.parsers['qwen']).toMatchObject({
      attempts: 3,
      detections: 3,
      successes: 2,
      failures: 1,
      skipped: 0,
    });
    expect(metrics.parsers['commentary']).toMatchObject({ attempts: 3, detections: 0 });
  });

  test('count streams as whole texts are counted', () => {
    const registry = createDefaultRegistry();
    for (const text of [CALL, 'plain']) {
      const stream = registry.createStream({ onEvent: () => undefined });
      for (const character of text) stream.feed(character);
      stream.end();
    }
    expect(registry.metrics()).toMatchObject({
      fallbacks: 1,
      parsers: { qwen: { attempts: 2, detections: 1, successes: 1 } },
    });
  });

  test('count a plugin that names openings once', () => {
    const listing = plugin('listing', {
      openings: ['RUN '],
      parse: (text) => (text.includes('ls') ? [{ name: 'ls', arguments: {} }] : null),
    });
    const registry = new ParserRegistry().register(listing, 90);
    registry.parse('I say RUN ls');
    registry.parse('I say RUN away');
    registry.parse('I say nothing');
    expect(registry.metrics().parsers['listing']).toMatchObject({
      attempts: 3,
      detections: 2,
      successes: 1,
      failures: 1,
      skipped: 0,
    });
  });

  test('count plugins and measure their time', () => {
    const clock = manualClock();
    const timed = plugin('timed', {
      parse: () => {
        clock.advance(30);
        return null;
      },
    });
    const registry = new ParserRegistry({ clock }).register(timed, 90);
    registry.parse('a');
    registry.parse('b');
    expect(registry.metrics().parsers['timed']).toEqual({
      attempts: 2,
      detections: 2,
      successes: 0,
      failures: 2,
      skipped: 0,
      totalMs: 60,
      maxMs: 30,
    });
  });
});

describe('formats', () => {
  const hermes = '<tool_call>{"name": "a", "arguments": {}}</tool_call>';
  const mistral = '[TOOL_CALLS]b[ARGS]{}';

  test('narrows reading to the parsers it names, reasoning included', () => {
    const registry = createDefaultRegistry();
    const text = `<think>Which?</think>${hermes}\n${mistral}`;
    const read = (formats?: readonly string[]): unknown => {
      const options = formats === undefined ? {} : { formats };
      const { calls, reasoning } = registry.parse(text, options);
      return [reasoning, ...calls.map(({ name }) => name)];
    };
    expect(read(['qwen'])).toEqual(['Which?', 'a']);
    expect(read(['mistral', 'react'])).toEqual(['Which?', 'b']);
    expect(read(['react'])).toEqual(['Which?']);
    expect(read()).toEqual(['Which?', 'a', 'b']);
  });

  test('holds for streams, and follows changes of the registry', () => {
    const registry = createDefaultRegistry();
    const read = (): number => {
      let count = 0;
      const onEvent = ({ type }: ParseEvent): void => void (count += type === 'call-end' ? 1 : 0);
      const stream = registry.createStream({ formats: ['qwen'], onEvent });
      stream.feed(hermes + mistral);
      stream.end();
      return count;
    };
    expect(read()).toBe(1);
    expect(registry.metrics().parsers['qwen']?.attempts).toBe(1);
    registry.unregister('qwen');
    expect(read).toThrow(InvalidOptionError);
  });

  test.each([[['nope']], [['qwen', 'Qwen']], [[]], ['qwen'], [[1]]])('refuses %j', (formats) => {
    const options = { formats: formats as readonly string[] };
    expect(() => createDefaultRegistry().parse('', options)).toThrow(/^formats: /);
  });

  test('says which name it does not know, and which was meant', () => {
    const parse = (...formats: string[]) => createDefaultRegistry().parse('', { formats });
    const meant = 'formats: expected names of formats (did you mean hermes?), got "hermess"';
    expect(() => parse('qwen', 'hermess')).toThrow(meant);
    expect(() => parse('nope')).toThrow(', fallback), got "nope"');
  });
});
