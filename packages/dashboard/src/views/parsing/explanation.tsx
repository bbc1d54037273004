import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { JSX } from 'preact';
import type { ExplainStep } from '../../api/api-types.ts';
import { ExplainTable } from './explain-table.tsx';
import { playgroundText } from './playground-run.ts';
import { streamParse } from './stream-parse.ts';

/** A text that could not be read, and what each parser made of it. */
export function Explanation({ text }: { readonly text: string }): JSX.Element {
  const steps = useSignal<readonly ExplainStep[] | undefined>(undefined);
  const problem = useSignal('');
  useEffect(() => {
    const stop = new AbortController();
    const options = { text, chunkSize: Math.max(1, text.length), delayMs: 0 };
    void (async () => {
      for await (const event of streamParse(options, stop.signal)) {
        if (event.type === 'done') steps.value = event.explain;
      }
    })().catch((error: unknown) => {
      if (!stop.signal.aborted)
        problem.value = error instanceof Error ? error.message : String(error);
    });
    return () => stop.abort();
  }, [text]);
  const tryIt = (): void => {
    playgroundText.value = text;
    document.getElementById('playground')?.scrollIntoView();
  };
  return (
    <>
      <pre class="raw" tabIndex={0} aria-label="What the model wrote">
        {text}
      </pre>
      {problem.value !== '' && <p class="note note-bad">{problem}</p>}
      {steps.value !== undefined && <ExplainTable steps={steps.value} />}
      <button type="button" class="text-button" onClick={tryIt}>
        Try it in the playground
      </button>
    </>
  );
}
