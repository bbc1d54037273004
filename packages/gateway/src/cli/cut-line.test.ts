import { describe, expect, it } from 'vitest';
import { cutLine } from './cut-line.ts';

describe('cutLine', () => {
  it('leaves a line alone that fits', () => {
    expect(cutLine('seven!!', 7)).toBe('seven!!');
    expect(cutLine('', 1)).toBe('');
  });

  it('says where something was cut off', () => {
    expect(cutLine('eight!!!', 7)).toBe('eight!…');
  });

  it('counts wide characters twice', () => {
    expect(cutLine('<｜DSML｜>', 10)).toBe('<｜DSML｜>');
    expect(cutLine('<｜DSML｜>', 9)).toBe('<｜DSML…');
    expect(cutLine('工具调用', 6)).toBe('工具…');
  });

  it('cuts no character in two', () => {
    expect(cutLine('a🙂🙂', 4)).toBe('a🙂…');
  });
});
