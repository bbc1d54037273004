import { describe, expect, test } from 'vitest';
import { readUpstreamUrl } from './read-upstream-url.ts';

describe('the address of an upstream', () => {
  test.each([
    ['http://127.0.0.1:1234/v1', 'http://127.0.0.1:1234/v1'],
    ['https://models.example/openai/v1/', 'https://models.example/openai/v1'],
    ['http://[::1]:8080/v1', 'http://[::1]:8080/v1'],
  ])('%s is taken as it is', (text, url) => {
    expect(readUpstreamUrl(text)).toEqual({ ok: true, url, notes: [] });
  });

  test.each([
    [
      'http://127.0.0.1:1234',
      'http://127.0.0.1:1234 has no path: http://127.0.0.1:1234/v1 is asked',
    ],
    [
      'http://127.0.0.1:1234/',
      'http://127.0.0.1:1234 has no path: http://127.0.0.1:1234/v1 is asked',
    ],
    ['http://127.0.0.1:1234/v1/chat/completions', 'the URL ends before /chat/completions'],
    ['http://127.0.0.1:1234/v1/messages/', 'the URL ends before /messages'],
  ])('%s is set right with a note', (text, note) => {
    expect(readUpstreamUrl(text)).toEqual({
      ok: true,
      url: 'http://127.0.0.1:1234/v1',
      notes: [note],
    });
  });

  test.each([
    ['http://sk-canary@models.example/v1', 'sk-canary'],
    ['http://me:sk-%2Fcanary@models.example/v1', 'sk-/canary'],
  ])('a key in %s becomes the API key, and no note repeats it', (text, apiKey) => {
    expect(readUpstreamUrl(text)).toEqual({
      ok: true,
      url: 'http://models.example/v1',
      apiKey,
      notes: ['the key in the URL is used as the API key'],
    });
  });

  test.each([
    '',
    'localhost:1234',
    '127.0.0.1:1234',
    'ftp://models.example/v1',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'http://models.example/v1?key=sk-canary',
    'http://models.example/v1#x',
    'http://models.example/v1", "x',
    'http://models\n.example/v1',
    'http://%zz@models.example/v1',
  ])('%j is refused', (text) => {
    const read = readUpstreamUrl(text);
    expect(read.ok).toBe(false);
    expect(JSON.stringify(read)).not.toContain('canary');
  });
});
