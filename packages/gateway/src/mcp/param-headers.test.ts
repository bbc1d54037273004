import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findHeaderMismatch, paramHeaders } from './param-headers.ts';

const schema = {
  type: 'object',
  properties: {
    region: { type: 'string', 'x-mcp-header': 'Region' },
    limits: {
      type: 'object',
      properties: { rows: { type: 'integer', 'x-mcp-header': 'Max-Rows' } },
    },
    note: { type: 'string' },
  },
};

function found(args: object, headers: Record<string, string>): unknown {
  const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  const given = new Map<string, string>(lower as [string, string][]);
  return findHeaderMismatch(schema, args as never, (name) => given.get(name));
}

describe('arguments that are headers too', () => {
  test('are sent by the names that the schema gives them', () => {
    const args = { region: 'eu', limits: { rows: 5 }, note: 'x' };
    expect(paramHeaders(schema, args)).toEqual({
      'Mcp-Param-Region': 'eu',
      'Mcp-Param-Max-Rows': '5',
    });
    expect(paramHeaders({ type: 'object' }, args)).toBeUndefined();
  });

  test('agree with what is sent, whatever they are', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer(), (region, rows) => {
        const args = { region, limits: { rows } };
        const headers = paramHeaders(schema, args) ?? {};
        for (const value of Object.values(headers)) expect(value).toMatch(/^[\x20-\x7e\t]*$/);
        const isText = Buffer.from(region).toString() === region;
        if (isText) expect(found(args, headers)).toBeUndefined();
      }),
    );
  });

  test.each([
    [{ region: 'eu' }, {}, 'absent'],
    [{ region: 'eu' }, { 'Mcp-Param-Region': 'us' }, '"us"'],
    [{ region: 'eu' }, { 'Mcp-Param-Region': '=?base64?!!?=' }, 'Base64'],
    [{ limits: { rows: 5 } }, { 'Mcp-Param-Max-Rows': '6' }, '"6"'],
  ])('are told where they disagree: %j and %j', (args, headers, why) => {
    expect(found(args, headers)).toMatchObject({ body: expect.stringContaining(why) as string });
  });

  test('may be written as another number that is the same', () => {
    expect(found({ limits: { rows: 5 } }, { 'Mcp-Param-Max-Rows': '5.0' })).toBeUndefined();
  });
});
