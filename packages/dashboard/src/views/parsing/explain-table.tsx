import type { JSX } from 'preact';
import type { ExplainStep } from '../../api/api-types.ts';
import { Chips } from '../../parts/chips.tsx';
import { inWords } from '../../format/words.ts';

const TONES: Readonly<Record<ExplainStep['decision'], string>> = {
  call: 'chip-good',
  markup: 'chip-accent',
  'not-a-call': 'chip-plain',
  skipped: 'chip-plain',
};

/** Which parser tried what, where, and why it was a call or not. */
export function ExplainTable({ steps }: { readonly steps: readonly ExplainStep[] }): JSX.Element {
  if (steps.length === 0) return <p class="nothing">No parser found where a call could begin.</p>;
  return (
    <div class="scroll-x" tabIndex={0} role="region" aria-label="Explanation">
      <table class="table table-small table-stack">
        <thead>
          <tr>
            <th scope="col" class="number">
              At
            </th>
            <th scope="col">Parser</th>
            <th scope="col">Opening</th>
            <th scope="col">Decision</th>
            <th scope="col">Why</th>
          </tr>
        </thead>
        <tbody>
          {steps.map(({ offset, parser, opening, decision, detail, repairs }, at) => (
            <tr key={at}>
              <td data-label="At" class="number">
                {offset}
              </td>
              <th scope="row">{parser}</th>
              <td data-label="Opening">
                {opening !== '' && <code class="code-name">{opening}</code>}
              </td>
              <td data-label="Decision">
                <span class={`chip ${TONES[decision]}`}>{inWords(decision)}</span>
              </td>
              <td data-label="Why">
                {detail} <Chips codes={repairs} tone="warn" />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
