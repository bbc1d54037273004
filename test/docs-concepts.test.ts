import { describe, expect, it } from 'vitest';
import { readPage } from './support/markdown.ts';
import { readText } from './support/repository.ts';

/** One page for each concept, and each answers the same questions in the same order. */
const CONCEPTS = [
  'advisor',
  'bulkhead',
  'check',
  'circuit-breaker',
  'circuits',
  'classify',
  'fallback',
  'fleet',
  'hooks',
  'loops',
  'parsing',
  'retry',
  'retry-budget',
  'running-tools',
  'streaming',
  'timeout',
];

const HEADINGS = ['About', 'Usage', 'Defaults', 'Events', 'Diagram', 'Patterns', 'Anti-patterns'];

describe('pages on concepts', () => {
  it.each(CONCEPTS)('%s has the sections that all of them have, in their order', (concept) => {
    const { prose } = readPage(readText(`docs/${concept}.md`));
    const headings = prose.flatMap((line) => /^## (.+)$/.exec(line)?.[1] ?? []);
    expect(headings).toEqual(HEADINGS);
  });

  it.each(CONCEPTS)(
    '%s has code in its usage, and a diagram that needs nothing to be drawn',
    (concept) => {
      const text = readText(`docs/${concept}.md`);
      const section = (name: string): string =>
        text.split(`\n## ${name}\n`)[1]?.split('\n## ', 1)[0] ?? '';
      expect(section('Usage')).toContain('```ts\n');
      expect(section('Diagram')).toMatch(/^```$/m);
      expect(text).not.toContain('```mermaid');
    },
  );
});
