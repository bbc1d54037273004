import type { JSX } from 'preact';
import { formatCount } from '../../format/number.ts';
import { Panel } from '../../parts/panel.tsx';

const MOST = 14;

/** What had to be mended, by how often. */
export function RepairBars({
  repairs,
}: {
  readonly repairs: Readonly<Record<string, number>>;
}): JSX.Element {
  const sorted = Object.entries(repairs).sort(([, a], [, b]) => b - a);
  const most = sorted[0]?.[1] ?? 1;
  return (
    <Panel title="Repairs" hint="What had to be mended, by how often.">
      {sorted.length === 0 ? (
        <p class="nothing">Nothing had to be mended.</p>
      ) : (
        <dl class="bar-list">
          {sorted.slice(0, MOST).map(([kind, count]) => (
            <div key={kind} class="bar-row">
              <dt>{kind}</dt>
              <dd>
                <span class="bar" style={{ width: `${(count / most) * 100}%` }} />
                <span class="bar-count">{formatCount(count)}</span>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Panel>
  );
}
