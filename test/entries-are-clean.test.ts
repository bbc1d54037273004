import { describe, expect, it } from 'vitest';
import { builtModules, codeFromText } from './support/built-imports.ts';
import { coreEntries } from './support/repository.ts';

describe.each(coreEntries())('the built entry $specifier', ({ built }) => {
  it('loads no package and no module of Node', () => {
    const outside = builtModules(built).flatMap(({ path, outside }) =>
      outside.map((name) => `${path} imports ${name}`),
    );

    expect(outside).toEqual([]);
  });

  it('makes no code from text', () => {
    expect(builtModules(built).flatMap(codeFromText)).toEqual([]);
  });
});

describe('codeFromText', () => {
  it('sees eval and both ways to call Function', () => {
    const text = "eval('1');\nnew Function('');\nFunction('');\nevaluate(); x.eval;";

    expect(codeFromText({ path: 'x.js', text })).toEqual([
      'x.js:1 eval',
      'x.js:2 Function',
      'x.js:3 Function',
    ]);
  });
});
