import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonEdit, JsonPath } from './edit-json.ts';
import { editJson, readJson } from './edit-json.ts';
import { CannotInstallError } from './agent-installer.ts';

const FILE = 'settings.json';

function set(text: string, path: JsonPath, value: unknown): string {
  return editJson(text, [{ path, value }], FILE);
}

function remove(text: string, path: JsonPath, keep = 0): string {
  return editJson(text, [{ path, value: undefined, keep }], FILE);
}

function refusalOf(text: string, edits: readonly JsonEdit[]): string {
  try {
    editJson(text, edits, FILE);
  } catch (error) {
    if (error instanceof CannotInstallError) return error.message;
    throw error;
  }
  return 'none';
}

describe('adding to a file', () => {
  test.each([
    ['an empty file', '', '{\n  "b": [\n    1\n  ]\n}\n'],
    ['a file with a mark only', '\uFEFF \r\n', '\uFEFF{\n  "b": [\n    1\n  ]\n}\n'],
    ['an empty object', '{}', '{\n  "b": [\n    1\n  ]\n}'],
    ['two spaces', '{\n  "a": 1\n}\n', '{\n  "a": 1,\n  "b": [\n    1\n  ]\n}\n'],
    ['tabs', '{\n\t"a": 1\n}', '{\n\t"a": 1,\n\t"b": [\n\t\t1\n\t]\n}'],
    ['CRLF', '{\r\n    "a": 1\r\n}', '{\r\n    "a": 1,\r\n    "b": [\r\n        1\r\n    ]\r\n}'],
    ['one line without spaces', '{"a":1}\n', '{"a":1,"b":[1]}\n'],
    ['one line with spaces', '{ "a": 1 }', '{ "a": 1, "b": [1] }'],
    ['a comma behind the last', '{\n  "a": 1,\n}', '{\n  "a": 1,\n  "b": [\n    1\n  ],\n}'],
    [
      'a comment behind the last',
      '{\n  "a": 1 // one, \n  // end\n}',
      '{\n  "a": 1, // one, \n  "b": [\n    1\n  ]\n  // end\n}',
    ],
    [
      'a comment before the comma',
      '{\n  "a": 1 /* one */ , /* x */\n}',
      '{\n  "a": 1 /* one */ , /* x */\n  "b": [\n    1\n  ],\n}',
    ],
    ['only a comment', '{ // none\r\n}', '{ // none\r\n  "b": [\r\n    1\r\n  ]\r\n}'],
    ['a comment on the line', '{/* x */}', '{/* x */ "b": [1]}'],
    ['the brace on the line of a member', '{\n  "a": 1}', '{\n  "a": 1,\n  "b": [\n    1\n  ]}'],
  ])('keeps to %s', (_, text, expected) => {
    expect(set(text, ['b'], [1])).toBe(expected);
  });

  test('objects and lists on the way are made', () => {
    expect(JSON.parse(set('{"x":0}', ['hooks', 'Pre', 0, 'name'], 'me'))).toEqual({
      x: 0,
      hooks: { Pre: [{ name: 'me' }] },
    });
  });

  test('a list is added to behind its last item, as that is written', () => {
    expect(set('{\n  "a": [1, 2]\n}', ['a', 2], { b: [3] })).toBe(
      '{\n  "a": [1, 2, {"b": [3]}]\n}',
    );
    expect(set('{\n  "a": [{\n    "b": 1\n  }]\n}', ['a', 1], { b: 2 })).toBe(
      '{\n  "a": [{\n    "b": 1\n  }, {\n    "b": 2\n  }]\n}',
    );
    expect(set('{\n  "a": []\n}', ['a', 0], 1)).toBe('{\n  "a": [\n    1\n  ]\n}');
  });

  test('an index that would leave a hole is a fault of the caller', () => {
    expect(() => set('{"a": [1]}', ['a', 2], 1)).toThrow(RangeError);
    expect(() => set('{}', ['a', 1], 1)).toThrow(RangeError);
  });
});

describe('changing a file', () => {
  test('only the value changes', () => {
    expect(set('{\n  "a": 1, // one\n  "b" : 2\n}', ['a'], { c: 3 })).toBe(
      '{\n  "a": {\n    "c": 3\n  }, // one\n  "b" : 2\n}',
    );
    expect(set('{\n  "a": { "x": 1 }\n}', ['a'], { c: 3 })).toBe('{\n  "a": {"c": 3}\n}');
  });

  test('a value that is there already is left as it is written', () => {
    const text = '{ "a" :{"y":2,"x": 1e0} }';
    expect(set(text, ['a'], { x: 1, y: 2 })).toBe(text);
    expect(set(text, ['a'], { x: 1, y: 2, z: undefined })).toBe(text);
  });

  test('several edits are made one after the other', () => {
    const edits = [
      { path: ['a', 0], value: 1 },
      { path: ['a', 1], value: 2 },
      { path: ['b'], value: undefined },
    ];
    expect(JSON.parse(editJson('{"b": 0}', edits, FILE))).toEqual({ a: [1, 2] });
  });
});

describe('removing from a file', () => {
  test.each([
    ['the last', '{\n  "a": 1, // one\n  "b": 2\n}', '{\n  "a": 1 // one\n}'],
    ['the last of a line', '{"a":1,"b":2}', '{"a":1}'],
    ['the last with a comma', '{\n  "a": 1,\n  "b": 2,\n}', '{\n  "a": 1,\n}'],
    ['the first', '{\n  "b": 2,\n  "a": 1\n}', '{\n  "a": 1\n}'],
    ['one in the middle', '{ "a": 1, "b": 2, "c": 3 }', '{ "a": 1, "c": 3 }'],
    ['the only one', '{\n  "b": 2\n}\n', '{}\n'],
    ['the only one, with a comma', '{ "b": 2, }', '{}'],
    ['one behind a comment of the line', '{ // one\n "b": 2, "c": 3}', '{ // one\n  "c": 3}'],
    ['one with the brace behind it', '{"a": 1, // one\n  "b": 2}', '{"a": 1 // one\n  }'],
    ['one with a comment before its comma', '{"b": 2 /* x */, "c": 3}', '{ /* x */ "c": 3}'],
    ['one that is not there', '{ "a" : 1,}', '{ "a" : 1,}'],
    ['one that is not in an empty file', '', ''],
  ])('%s goes, and no more', (_, text, expected) => {
    expect(remove(text, ['b'])).toBe(expected);
  });

  test('what held nothing else goes too, as far as it may', () => {
    const text = '{"x": 1, "hooks": {"Pre": [{"a": 1}]}}';
    expect(remove(text, ['hooks', 'Pre', 0])).toBe('{"x": 1}');
    expect(remove(text, ['hooks', 'Pre', 0], 1)).toBe('{"x": 1, "hooks": {}}');
    expect(remove(text, ['hooks', 'Pre', 0], 2)).toBe('{"x": 1, "hooks": {"Pre": []}}');
  });

  test('what holds a comment stays', () => {
    expect(remove('{"hooks": {/* mine */ "Pre": [1]}}', ['hooks', 'Pre', 0])).toBe(
      '{"hooks": {/* mine */}}',
    );
    expect(remove('{"hooks": {"Pre": [1 // one\n]}}', ['hooks', 'Pre', 0])).toBe(
      '{"hooks": {"Pre": [ // one\n]}}',
    );
  });

  test('a path through something else finds nothing', () => {
    const text = '{"hooks": "none"}';
    expect(remove(text, ['hooks', 'Pre', 0])).toBe(text);
  });
});

describe('a file that cannot be edited', () => {
  test.each([
    ['{\n  "a": 1\n  "b": 2\n}', 'settings.json:3:3: not JSON: expected , or }, got a text'],
    ['{\n"a": 1,\n"a": 2}', 'settings.json:3:1: expected each key once, got "a" twice'],
    ['// only this', 'settings.json:1:13: not JSON: expected a value, got the end of the file'],
    ['[]', 'settings.json:1:1: expected an object, got a list'],
    ['\n"text"', 'settings.json:2:1: expected an object, got a string'],
    ['null', 'settings.json:1:1: expected an object, got null'],
    ['{"hooks": [1]}', 'settings.json:1:11: expected an object at hooks, got a list'],
    ['{"hooks":\n{"Pre": {}}}', 'settings.json:2:9: expected a list at hooks.Pre, got an object'],
  ])('%j is refused with the place', (text, expected) => {
    expect(refusalOf(text, [{ path: ['hooks', 'Pre', 0], value: 1 }])).toBe(expected);
  });

  test('it is refused without edits as well', () => {
    expect(refusalOf('{', [])).toContain('settings.json:1:2: not JSON');
    expect(() => readJson('{', FILE)).toThrow(CannotInstallError);
  });
});

test('reads what it would edit', () => {
  expect(readJson('{ "a": 1, /* x */ }', FILE)).toEqual({ a: 1 });
  expect(readJson('\uFEFF', FILE)).toEqual({});
});

/** JSON as people write it: any spacing, with comments and commas where editors allow them. */
const space = fc.constantFrom(
  '',
  ' ',
  '\n',
  '\r\n  ',
  '\t',
  ' /* x, " */ ',
  ' // x }\n',
  '\n  // y\r\n',
);
const { object: written } = fc.letrec<{ node: string; list: string; object: string; leaf: string }>(
  (tie) => ({
    node: fc.oneof({ maxDepth: 3, withCrossShrink: true }, tie('leaf'), tie('list'), tie('object')),
    leaf: fc.oneof(
      fc.string().map((text) => JSON.stringify(text)),
      fc.constantFrom('0', '-1.5e3', 'true', 'null', '{}', '[]', '"// no"', '"/* no"'),
    ),
    list: fc
      .tuple(
        fc.array(fc.tuple(space, tie('node'), space), { minLength: 1, maxLength: 3 }),
        fc.boolean(),
        space,
      )
      .map(
        ([items, hasComma, end]) =>
          `[${items.map((item) => item.join('')).join(',')}${hasComma ? ',' : ''}${end}]`,
      ),
    object: fc
      .tuple(
        fc.uniqueArray(
          fc.tuple(fc.constantFrom('a', 'b', 'c', ''), space, tie('node'), space, space),
          {
            minLength: 1,
            maxLength: 3,
            selector: ([key]) => key,
          },
        ),
        fc.boolean(),
        space,
      )
      .map(([fields, hasComma, end]) => {
        const texts = fields.map(
          ([key, before, node, after, colon]) =>
            `${before}"${key}"${colon}:${before}${node}${after}`,
        );
        return `{${texts.join(',')}${hasComma ? ',' : ''}${end}}`;
      }),
  }),
);
const file = fc
  .tuple(fc.constantFrom('', '\uFEFF'), space, written, space)
  .map((parts) => parts.join(''));

/** Where in a value something new can be put: a key that no object has, or the end of a list. */
function placesIn(value: unknown, at: JsonPath = []): JsonPath[] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Array.isArray(value)
    ? value.flatMap((item, index) => placesIn(item, [...at, index]))
    : Object.entries(value).flatMap(([key, field]) => placesIn(field, [...at, key]));
  return [[...at, Array.isArray(value) ? value.length : 'new'], ...inside];
}

describe('laws of any file', () => {
  const value = fc.oneof(fc.jsonValue(), fc.constant({ matcher: '*', hooks: [{ command: 'x' }] }));

  test('what was added can be read, and removing it gives back every byte', () => {
    fc.assert(
      fc.property(
        file,
        value,
        fc.nat(),
        fc.constantFrom([], ['deep', 0, 'er']),
        (text, added, pick, deeper) => {
          const before = readJson(text, FILE);
          const places = placesIn(before);
          const place = places[pick % places.length] ?? [];
          const path = [...place, ...deeper];
          const edited = set(text, path, added);

          const after = structuredClone(before);
          put(after, path, JSON.parse(JSON.stringify(added)));
          expect(readJson(edited, FILE)).toEqual(after);
          expect(set(edited, path, added)).toBe(edited);
          // What is made on the way goes with it, and no container that was there.
          expect(remove(edited, path, place.length - 1)).toBe(text);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test('what was removed is gone, and all else is there', () => {
    fc.assert(
      fc.property(file, fc.nat(), (text, pick) => {
        const before = readJson(text, FILE);
        const paths = pathsIn(before);
        const path = paths[pick % Math.max(1, paths.length)];
        if (path === undefined) return;
        const after = structuredClone(before);
        take(after, path);
        expect(readJson(remove(text, path, path.length - 1), FILE)).toEqual(after);
      }),
      { numRuns: 2_000 },
    );
  });

  test('what was changed is changed, and all else is there', () => {
    fc.assert(
      fc.property(file, value, fc.nat(), (text, changed, pick) => {
        const before = readJson(text, FILE);
        const paths = pathsIn(before);
        const path = paths[pick % Math.max(1, paths.length)];
        if (path === undefined) return;
        const after = structuredClone(before);
        put(after, path, JSON.parse(JSON.stringify(changed)));
        expect(readJson(set(text, path, changed), FILE)).toEqual(after);
      }),
    );
  });
});

function pathsIn(value: unknown, at: JsonPath = []): JsonPath[] {
  if (typeof value !== 'object' || value === null) return [];
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value);
  return entries.flatMap(([key, field]) => [[...at, key], ...pathsIn(field, [...at, key])]);
}

function put(root: unknown, path: JsonPath, value: unknown): void {
  let holder = root as Record<string | number, unknown>;
  for (const [index, key] of path.slice(0, -1).entries()) {
    holder[key] ??= typeof path[index + 1] === 'number' ? [] : {};
    holder = holder[key] as Record<string | number, unknown>;
  }
  holder[path.at(-1) ?? ''] = value;
}

function take(root: unknown, path: JsonPath): void {
  let holder = root as Record<string | number, unknown>;
  for (const key of path.slice(0, -1)) holder = holder[key] as Record<string | number, unknown>;
  const last = path.at(-1) ?? '';
  if (Array.isArray(holder)) holder.splice(Number(last), 1);
  else Reflect.deleteProperty(holder, last);
}
