import { describe, expect, test } from 'vitest';
import { ERRNO_TOKENS } from './errno-tokens.ts';
import { EXCEPTION_TOKENS } from './exception-tokens.ts';
import { LOCALIZED_PHRASES } from './localized-phrases.ts';
import { PHRASES } from './phrases.ts';
import { PRECISE_PHRASES } from './precise-phrases.ts';
import { STATUS_TOKENS } from './status-tokens.ts';
import { tokenTable } from './token-table.ts';

describe('the tables', () => {
  test('have no token twice', () => {
    const tokens = [ERRNO_TOKENS, EXCEPTION_TOKENS, STATUS_TOKENS].flatMap((table) => [
      ...table.keys(),
    ]);
    expect(tokens.filter((token, at) => tokens.indexOf(token) !== at)).toEqual([]);
    expect(() => tokenTable({ timeout: 'A', network: 'B A' })).toThrow('A is listed twice');
  });

  test.each([
    ['precise', PRECISE_PHRASES],
    ['general', PHRASES],
    ['localized', LOCALIZED_PHRASES],
  ])('%s phrases can be found: lower case, and none twice', (_name, table) => {
    const phrases = table.flatMap(([, list]) => list);
    expect(phrases.filter((each) => each !== each.toLowerCase())).toEqual([]);
    expect(phrases.filter((each, at) => phrases.indexOf(each) !== at)).toEqual([]);
  });
});
