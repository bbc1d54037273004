import { describe, expect, test } from 'vitest';
import { decideStringEnd, endsInColon, isCloser, isColon, startsMarker } from './string-end.ts';
import type { StringPlace } from './string-end.ts';

const PLACE: StringPlace = {
  role: 'member',
  depth: 1,
  endMarker: '</tool_call>',
  nextMarker: '<tool_call>',
  beginsWithBracket: false,
  inTuple: false,
  isColonless: false,
};

/** What a quote is that `rest` follows, while more may come and at the end of the text. */
function decide(rest: string, place: Partial<StringPlace> = {}): string {
  const text = `{"a": "b"${rest}`;
  const [soFar, atEnd] = [false, true].map((ending) =>
    decideStringEnd(text, 9, { ...PLACE, ...place }, ending),
  );
  return soFar === atEnd ? String(soFar) : `${soFar}, then ${atEnd}`;
}

const spaces = (count: number): string => ' '.repeat(count);

describe('a quote after a key', () => {
  test.each([
    ':',
    ' :',
    '：',
    '=',
    ',',
    '{',
    '[',
    '}',
    ']',
    ')',
    '"',
    "'",
    ' 1',
    ' 0',
    ' 9',
    ' -1',
    ' // c',
    '/* c',
    ' # c',
  ])('ends it before %j', (rest) => {
    expect(decide(rest, { role: 'key' })).toBe('ends');
  });

  test.each(['1', '9', '-', 'x', ' x', ' /x', '# c', ' .', ';'])(
    'is part of it before %j',
    (rest) => {
      expect(decide(rest, { role: 'key' })).toBe('inside');
    },
  );
});

describe('a quote in the value of a member', () => {
  test.each([
    '}',
    ' }',
    ']',
    ', "c": 1',
    ', "c" : 1',
    ',"c"：1',
    ', c: 1',
    ', c-d.e: 1',
    ', c": 1',
    `, ${'k'.repeat(160)}: 1`,
    ', c = 1',
    ', "c" {"d": 1',
    ", 'it\\'s': 1",
    ', “c”: 1',
    ', "c\\"d": 1',
    ', "city: "Oslo"',
    '， "c": 1',
    ',}',
    ', )',
    ',,',
    ', {',
    ', // c',
    ', # c',
    ', ...',
    '; "c": 1',
    ';c: 1',
    ' "c": 1',
    ' c: 1',
    ' // c',
    ' /* c',
    ' # c',
    ' + "d"',
    '+"d"',
    '</tool_call>',
    ' </tool_call>',
    '```',
    `${spaces(161)}x`,
    `, "${'k'.repeat(160)}`,
  ])('ends it before %j', (rest) => {
    expect(decide(rest)).toBe('ends');
  });

  test.each([
    'x',
    ' x',
    ' x y: 1',
    ', x',
    ', x y: 1',
    ', "c" 1',
    ', "c" [1',
    ', "c" {d: 1',
    ', "c", "d"',
    ', \\"c\\": 1',
    ', (x)',
    ', : 1',
    ', = 1',
    ' {x',
    ' ...',
    ', .. x',
    ', "a b: "c"',
    '; x',

    ' class="a"',
    ' id="b" x',
    ')',
    '/x',
    ' /x',
    '# c',
    '// c',
    '+ x',
    '</tool_x',
    '`',
    '``x',
    '.',
    `${spaces(160)}x`,
    `, ${'k'.repeat(161)}: 1`,
  ])('is part of it before %j', (rest) => {
    const told = decide(rest);
    expect(['inside', 'unclear, then inside']).toContain(told);
  });

  test.each([
    ['', 'unclear, then ends'],
    [' ', 'unclear, then ends'],
    [',', 'unclear, then ends'],
    [', ', 'unclear, then ends'],
    [', "c', 'unclear, then ends'],
    [', "c\\', 'unclear, then ends'],
    [`, "${'k'.repeat(158)}`, 'unclear, then ends'],
    [', "c"', 'unclear, then ends'],
    [', "c" ', 'unclear, then ends'],
    [', "c" {', 'unclear, then inside'],
    [', c', 'unclear, then inside'],
    [', c ', 'unclear, then inside'],
    [', ..', 'unclear, then inside'],
    [';', 'unclear, then inside'],
    ['; "c"', 'unclear, then inside'],
    [' c', 'unclear, then inside'],
    [' /', 'unclear, then inside'],
    ['+', 'unclear, then inside'],
    ['+ ', 'unclear, then inside'],
    ['</tool', 'unclear, then inside'],
    ['``', 'unclear, then inside'],
  ])('waits for more after %j: %s', (rest, told) => {
    expect(decide(rest)).toBe(told);
  });

  test('ends it before a parenthesis where that may close a tuple', () => {
    expect(decide(')', { inTuple: true })).toBe('ends');
    expect(decide('x', { inTuple: true })).toBe('inside');
  });

  test.each(['"d"', '{"d": 1', '{d: 1', '[1'])(
    'ends it before a key without a colon and %s',
    (value) => {
      expect(decide(`, "c" ${value}`, { isColonless: true })).toBe('ends');
      expect(decide(', "c" 1', { isColonless: true })).toBe('inside');
    },
  );
});

describe('a quote before what closes some of the brackets', () => {
  test.each([
    ['}}', 2, 'ends'],
    ['} }', 2, 'ends'],
    ['}', 2, 'unclear, then ends'],
    ['} ', 2, 'unclear, then ends'],
    ['},', 2, 'ends'],
    ['} ，', 2, 'ends'],
    ['} //', 2, 'ends'],
    ['} #', 2, 'ends'],
    ['}`', 2, 'ends'],
    ['}\n"c": 1', 2, 'ends'],
    ['}\nc: 1', 2, 'ends'],
    ['}\n "c', 2, 'unclear, then inside'],
    ['}\nc d', 2, 'inside'],
    ['}\n{', 2, 'unclear, then inside'],
    ['}\n{"x"}', 2, 'inside'],
    ['}\n{"name": "f", "arguments": {', 2, 'ends'],
    ['}; {"name": "f", "arguments": {', 2, 'ends'],
    ['}\n<tool_call>', 2, 'ends'],
    ['}\n...', 2, 'inside'],
    ['} "c": 1', 2, 'inside'],
    ['}\n} "c": 1', 3, 'inside'],
    ['} x', 2, 'inside'],
    ['}</tool_call>', 2, 'ends'],
    ['}</to', 2, 'unclear, then inside'],
    [`}${spaces(159)}`, 2, 'ends'],
    [`}${spaces(158)}x`, 2, 'inside'],
    [')', 1, 'inside'],
  ])('%j, %d of them open: %s', (rest, depth, told) => {
    expect(decide(rest, { depth })).toBe(told);
  });
});

describe('a quote in an element of a list', () => {
  const element = { role: 'element', depth: 2 } as const;

  test.each([
    ', "c"',
    ', 1,',
    ', 1]',
    ', -1',
    ', true }',
    ', c "d"',
    ', {',
    ', ]',
    ', .',
    ' "c"',
    ' {',
    '],',
    ', 1+2,',
    `, ${'k'.repeat(160)},`,
  ])('ends it before %j', (rest) => {
    expect(decide(rest, element)).toBe('ends');
  });

  test.each([
    'x',
    ' x',
    ', x y',
    ', : 1',
    ', =',
    '"c"',
    '{',
    '; "c": 1',
    ', c: 1',
    `, ${'k'.repeat(161)},`,
  ])('is part of it before %j', (rest) => {
    expect(decide(rest, element)).toBe('inside');
  });

  test.each([
    [',', 'unclear, then ends'],
    [', c', 'unclear, then ends'],
    [', c ', 'unclear, then ends'],
  ])('waits for more after %j: %s', (rest, told) => {
    expect(decide(rest, element)).toBe(told);
  });
});

describe('a quote in a string that is all there is', () => {
  const root = { role: 'root', depth: 0 } as const;

  test.each([',', ' x', '}', ']', ':', '=', '`', '</tool_call>', '，'])(
    'ends it before %j',
    (rest) => {
      expect(decide(rest, root)).toBe('ends');
    },
  );

  test.each(['x', ')', '+', '/'])('is part of it before %j', (rest) => {
    expect(decide(rest, root)).toBe('inside');
  });
});

describe('how far is looked', () => {
  const long = 'k'.repeat(600);

  test('is limited: what is not decided by then ends the string', () => {
    expect(decide(`, ${spaces(520)}`)).toBe('ends');
    expect(decide(`, "c"${spaces(520)}x`)).toBe('ends');
    expect(decide(`x${long}`)).toBe('inside');
    expect(decide(`,${spaces(512)}`)).toBe('ends');
    expect(decide(`,${spaces(505)}${long}`)).toBe('ends');
  });

  test('is as far as the limit', () => {
    expect(decide(`,${spaces(511)}`)).toBe('unclear, then ends');
    expect(decide(`,${spaces(100)}x y${'k'.repeat(409)}`)).toBe('inside');
  });

  test('is far enough for what comes just before the limit', () => {
    const filler = spaces(100);
    expect(decide(`, ${filler}"c"${filler}: 1${long}`)).toBe('ends');
    expect(decide(`, ${filler}"c"${filler}1${long}`)).toBe('inside');
  });
});

describe('what texts are asked for besides', () => {
  test.each([
    ['</a>', 0, true, 'ends'],
    ['x</a>y', 1, false, 'ends'],
    ['x</', 1, false, 'unclear'],
    ['x</', 1, true, 'inside'],
    ['x</b', 1, false, 'inside'],
    ['x</axx', 1, false, 'inside'],
    ['x', 0, false, 'inside'],
  ])('the end marker in %j at %d, at the end of the text: %s, %s', (text, at, ending, told) => {
    expect(startsMarker(text, at, '</a>', ending)).toBe(told);
    expect(startsMarker(text, at, '', ending)).toBe('inside');
  });

  test.each([
    ['city: ', true],
    ['city:', true],
    ['city  :   ', true],
    ['my-$key_1:', true],
    ['city   :', false],
    ['a city: ', false],
    ['city: x', false],
    [': ', false],
    ['city', false],
  ])('whether %j ends in a colon: %s', (text, does) => {
    expect(endsInColon(text)).toBe(does);
  });

  test('closers and colons', () => {
    const of = (holds: (code: number) => boolean): string =>
      '{ } [ ] ( ) : ： = ; , "'
        .split(' ')
        .filter((one) => holds(one.charCodeAt(0)))
        .join('');
    expect([of(isCloser), of(isColon)]).toEqual(['}])', ':：=']);
  });
});
