import type { JSX } from 'preact';
import type { ModelParsing } from '../../api/api-types.ts';
import { formatCount } from '../../format/number.ts';
import { CountedChips } from '../../parts/chips.tsx';

export function ModelTable({ models }: { readonly models: readonly ModelParsing[] }): JSX.Element {
  return (
    <div class="scroll-x" tabIndex={0} role="region" aria-label="Models">
      <table class="table table-stack">
        <thead>
          <tr>
            <th scope="col">Model</th>
            <th scope="col" class="number">
              Turns
            </th>
            <th scope="col" class="number">
              Calls
            </th>
            <th scope="col">Formats</th>
            <th scope="col">Repairs</th>
            <th scope="col" class="number">
              Unread
            </th>
          </tr>
        </thead>
        <tbody>
          {models.map(({ model, turns, calls, formats, repairs, unread }) => (
            <tr key={model}>
              <th scope="row">{model}</th>
              <td data-label="Turns" class="number">
                {formatCount(turns)}
              </td>
              <td data-label="Calls" class="number">
                {formatCount(calls)}
              </td>
              <td data-label="Formats">
                <CountedChips counts={formats} most={4} tone="accent" />
              </td>
              <td data-label="Repairs">
                <CountedChips counts={repairs} most={4} tone="warn" />
              </td>
              <td data-label="Unread" class="number">
                {unread === 0 ? '–' : formatCount(unread)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
