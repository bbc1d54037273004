import { describe, expect, test } from 'vitest';
import { decodeEntities, entityQuoteAt } from './entities.ts';

describe('quotes as HTML writes them', () => {
  test.each(['&quot;', '&#34;', '&#39;', '&apos;'])('are found where %s stands', (quote) => {
    expect(entityQuoteAt(`a${quote}b`, 1, false)).toBe(quote);
  });

  test.each(['&', '&q', '&quot', '&#3', '&apos'])('are unclear while only %s has come', (text) => {
    expect(entityQuoteAt(text, 0, false)).toBe('unclear');
    expect(entityQuoteAt(text, 0, true)).toBeUndefined();
  });

  test.each(['&lt;', '&x', 'quot;', '&quota'])('are none in %s', (text) => {
    expect(entityQuoteAt(text, 0, false)).toBeUndefined();
  });

  test('are undone with the rest of what HTML escapes, and nothing else is', () => {
    expect(decodeEntities('&lt;a b=&quot;c&#34; d=&apos;e&#39;&gt; &amp; &nbsp; &lt')).toBe(
      '<a b="c" d=\'e\'> & &nbsp; &lt',
    );
    expect(decodeEntities('&amp;lt;')).toBe('&lt;');
  });
});
