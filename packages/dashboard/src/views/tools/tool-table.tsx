import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { JSX } from 'preact';
import type { ToolStatistics } from '../../api/api-types.ts';
import { formatDuration } from '../../format/duration.ts';
import { formatCount, formatShare } from '../../format/number.ts';
import { CountedChips } from '../../parts/chips.tsx';
import { toolKey } from './tool-key.ts';

export interface ToolTableProps {
  readonly tools: readonly ToolStatistics[];
  readonly chosen: string | undefined;
  readonly onChoose: (key: string) => void;
}

/** Models invent tools: a table of all of them would be slow, and nobody reads it. */
const MOST = 50;

/** The tools, those that fail most first. */
export function ToolTable({ tools, chosen, onChoose }: ToolTableProps): JSX.Element {
  const isWhole = useSignal(false);
  const sorted = tools.toSorted(
    (a, b) => b.failed + b.refused - (a.failed + a.refused) || b.calls - a.calls,
  );
  const shown = isWhole.value ? sorted : sorted.slice(0, MOST);
  return (
    <>
      <div class="scroll-x" tabIndex={0} role="region" aria-label="Tools">
        <table class="table table-stack tool-table">
          <thead>
            <tr>
              <th scope="col">Tool</th>
              <th scope="col" class="number">
                Calls
              </th>
              <th scope="col">Success</th>
              <th scope="col" class="number">
                p50
              </th>
              <th scope="col" class="number">
                p95
              </th>
              <th scope="col">Failures by type</th>
              <th scope="col" class="number">
                Refused
              </th>
              <th scope="col" class="number">
                Loops
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((tool) => {
              const key = toolKey(tool);
              return <Row key={key} tool={tool} isChosen={key === chosen} onChoose={onChoose} />;
            })}
          </tbody>
        </table>
      </div>
      {shown.length < sorted.length && (
        <p class="panel-more">
          <button type="button" class="text-button" onClick={() => (isWhole.value = true)}>
            Show all {sorted.length}
          </button>
        </p>
      )}
    </>
  );
}

interface RowProps {
  readonly tool: ToolStatistics;
  readonly isChosen: boolean;
  readonly onChoose: (key: string) => void;
}

function Row({ tool, isChosen, onChoose }: RowProps): JSX.Element {
  // Most tools were not called since the last answer: their rows stay as they are.
  return useMemo(
    () => (
      <tr class={isChosen ? 'is-chosen' : undefined}>
        <th scope="row">
          <button
            type="button"
            class="row-button"
            aria-pressed={isChosen}
            onClick={() => onChoose(toolKey(tool))}
          >
            <span class="tool-name">{tool.tool}</span>
            {tool.server !== null && <span class="tool-server">{tool.server}</span>}
          </button>
        </th>
        <td data-label="Calls" class="number">
          {formatCount(tool.calls)}
        </td>
        <td data-label="Success">
          <SuccessBar rate={tool.success_rate} />
        </td>
        <td data-label="p50" class="number">
          {duration(tool.p50_ms)}
        </td>
        <td data-label="p95" class="number">
          {duration(tool.p95_ms)}
        </td>
        <td data-label="Failures by type">
          <CountedChips counts={tool.types} most={3} />
        </td>
        <td data-label="Refused" class="number">
          {orDash(tool.refused)}
        </td>
        <td data-label="Loops" class="number">
          {orDash(tool.loops)}
        </td>
      </tr>
    ),
    [tool.calls, tool.loops, isChosen],
  );
}

/** A share in length and in words. */
function SuccessBar({ rate }: { readonly rate: number | null }): JSX.Element {
  if (rate === null) return <span class="nothing">–</span>;
  const tone = rate >= 0.95 ? 'good' : rate >= 0.7 ? 'warn' : 'bad';
  return (
    <span class="share">
      <span class="share-bar">
        <span class={`share-fill share-${tone}`} style={{ width: `${rate * 100}%` }} />
      </span>
      <span class="share-text">{formatShare(rate)}</span>
    </span>
  );
}

function duration(ms: number | null): string {
  return ms === null ? '–' : formatDuration(ms);
}

function orDash(count: number): string {
  return count === 0 ? '–' : formatCount(count);
}
