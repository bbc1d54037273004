import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import type { JsonObject } from '@holdfast/core';
import { cutResult } from './cut-result.ts';
import { cutText } from './cut-text.ts';
import { callerUnderTest, textsOf } from './caller.case.ts';

const text = (value: string): JsonObject => ({ type: 'text', text: value });
const image = (bytes: number): JsonObject => ({
  type: 'image',
  data: 'A'.repeat(bytes),
  mimeType: 'image/png',
});

describe('a text that is cut', () => {
  test('ends with a line', () => {
    expect(cutText('one\ntwo\nthree\n', 10)).toBe('one\ntwo\n');
  });

  test('ends anywhere where its lines are long', () => {
    expect(cutText(`a\n${'b'.repeat(100)}`, 50)).toBe(`a\n${'b'.repeat(48)}`);
  });

  test('is a beginning of it that fits, with no character in two', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(60), (value, bytes) => {
        const cut = cutText(value, bytes);
        expect(value.startsWith(cut)).toBe(true);
        expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(bytes);
        expect(Buffer.from(cut).toString()).toBe(cut);
      }),
    );
  });
});

describe('a result that is too large', () => {
  test('has its text cut, and says how much is missing and what to ask for', () => {
    const lines = 'a line of a log\n'.repeat(1000);
    const block = { ...text(lines), annotations: { audience: ['user'] } };
    const cut = cutResult({ content: [text('first'), block, text('last')] }, 2048);
    expect(cut?.content).toHaveLength(3);
    expect(cut?.content[0]).toEqual(text('first'));
    expect(cut?.content[1]).toMatchObject({ annotations: { audience: ['user'] } });
    expect(cut?.content[1]?.['text']).toMatch(/^(?:a line of a log\n)+$/);
    expect(cut?.content[2]?.['text']).toBe(
      '[14 KB left out here (text): a result may have 2 KB. ' +
        'Ask for less at once: a smaller range, fewer items or a narrower filter.]',
    );
    expect(cut?.truncation).toMatchObject({ blocks_left_out: 1, max_bytes: 2048 });
  });

  test('loses pictures that do not fit, and keeps those that do', () => {
    const small = image(500);
    const cut = cutResult({ content: [image(5000), small, text('caption')] }, 2000);
    expect(cut?.content[0]?.['text']).toMatch(/^\[4\.9 KB left out here \(image\)/);
    expect(cut?.content[1]).toBe(small);
    expect(cut?.content[2]).toEqual(text('caption'));
    expect(cut?.truncation).toMatchObject({ blocks_left_out: 1, bytes_left_out: 5016 });
  });

  test('counts what embedded resources hold', () => {
    const resource = { uri: 'a:b', blob: 'A'.repeat(5000) };
    const cut = cutResult({ content: [{ type: 'resource', resource }] }, 2000);
    expect(cut?.content[0]?.['text']).toContain('(resource)');
  });

  test('has few notes, however many blocks it has', () => {
    const content = Array.from({ length: 10_000 }, () => image(1));
    const cut = cutResult({ content }, 1000);
    expect(cut?.content.length).toBeLessThan(100);
    expect(cut?.truncation.blocks_left_out).toBeGreaterThan(9900);
  });

  test('is one by its bytes, not by its characters', () => {
    expect(cutResult({ content: [text('é'.repeat(100))] }, 216)).toBeUndefined();
    expect(cutResult({ content: [text('é'.repeat(101))] }, 216)).toBeDefined();
  });

  test('keeps its structured content, and gets its advice all the same', async () => {
    const { call, events } = callerUnderTest({ maxResultBytes: 1000, advice: true });
    const structuredContent = { rows: 'x'.repeat(5000) };
    const large = { content: [text('x'.repeat(5000))], structuredContent, isError: true };
    await call({}, large);
    const reply = await call({ arguments: { amount: 2 } }, large);
    expect(reply['structuredContent']).toBe(structuredContent);
    expect(reply['_meta']).toMatchObject({ 'holdfast/truncated': { max_bytes: 1000 } });
    expect(textsOf(reply)[2]).toContain('Tool guidance');
    expect(events.filter(({ type }) => type === 'result-cut')).toHaveLength(2);
  });
});
