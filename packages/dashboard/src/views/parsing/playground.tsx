import { useEffect } from 'preact/hooks';
import type { JSX } from 'preact';
import { Icon } from '../../parts/icon.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Segmented } from '../../parts/segmented.tsx';
import { ExplainTable } from './explain-table.tsx';
import {
  explanation,
  isReading,
  pace,
  playgroundText,
  problem,
  readText,
  run,
  stop,
} from './playground-run.ts';
import type { Pace } from './playground-run.ts';
import { ReadAlong, ReadResult } from './read-result.tsx';
import { SAMPLES } from './samples.ts';

const PACES: readonly { readonly value: Pace; readonly label: string }[] = [
  { value: 'slow', label: 'Slow' },
  { value: 'fast', label: 'Fast' },
  { value: 'at-once', label: 'At once' },
];

/** Model text goes in, calls come out, as they are read. */
export function Playground(): JSX.Element {
  useEffect(() => stop, []);
  return (
    <div id="playground">
      <Panel
        title="Playground"
        hint="Paste what a model wrote. It is read character by character, as it would arrive."
        actions={<Samples />}
      >
        <form
          class="playground"
          onSubmit={(event) => {
            event.preventDefault();
            void run();
          }}
        >
          <div class="playground-in">
            <label class="field">
              <span class="field-label">What the model wrote</span>
              {isReading.value ? <ReadAlong /> : <TextInput />}
            </label>
            <div class="playground-controls">
              {isReading.value ? (
                <button type="button" class="button" onClick={stop}>
                  <Icon name="stop" /> Stop
                </button>
              ) : (
                <button
                  type="submit"
                  class="button button-main"
                  disabled={playgroundText.value === ''}
                >
                  <Icon name="play" /> Read it
                </button>
              )}
              <Segmented
                label="Pace"
                options={PACES}
                value={pace.value}
                onChange={(next) => (pace.value = next)}
              />
            </div>
          </div>
          <div class="playground-out">
            <p class="field-label" id="playground-out">
              What a client gets
            </p>
            {problem.value !== '' && (
              <p class="note note-bad" role="alert">
                {problem}
              </p>
            )}
            <ReadResult />
          </div>
        </form>
        {explanation.value !== undefined && readText.value !== undefined && (
          <details class="explain">
            <summary>Why it was read so</summary>
            <ExplainTable steps={explanation.value} />
          </details>
        )}
      </Panel>
    </div>
  );
}

function TextInput(): JSX.Element {
  return (
    <textarea
      class="input playground-text"
      rows={11}
      spellcheck={false}
      value={playgroundText.value}
      onInput={(event) => (playgroundText.value = event.currentTarget.value)}
    />
  );
}

function Samples(): JSX.Element {
  const chosen = SAMPLES.findIndex(({ text }) => text === playgroundText.value);
  return (
    <label class="select">
      <span class="unseen">Sample</span>
      <select
        class="input"
        value={String(chosen)}
        onChange={(event) => {
          stop();
          playgroundText.value = SAMPLES[Number(event.currentTarget.value)]?.text ?? '';
        }}
      >
        {chosen < 0 && <option value="-1">Your own text</option>}
        {SAMPLES.map(({ name }, at) => (
          <option key={name} value={String(at)}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
