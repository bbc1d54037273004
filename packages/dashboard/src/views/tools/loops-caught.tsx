import { useComputed } from '@preact/signals';
import type { JSX } from 'preact';
import type { ToolStatistics } from '../../api/api-types.ts';
import { counted } from '../../format/number.ts';
import { eventLog } from '../../live/event-log.ts';
import { Age } from '../../parts/age.tsx';
import { Panel } from '../../parts/panel.tsx';
import { toolKey } from './tool-key.ts';

/** Models that went round in circles, by the tool they did it with, and the last times it was said. */
export function LoopsCaught({ tools }: { readonly tools: readonly ToolStatistics[] }): JSX.Element {
  const looped = tools.filter(({ loops }) => loops > 0).toSorted((a, b) => b.loops - a.loops);
  const last = useComputed(() =>
    eventLog.value
      .filter(({ text }) => text.includes('advised') || text.includes('stopped'))
      .slice(0, 6),
  );
  return (
    <Panel
      title="Loops caught"
      hint="The same failing call again, or the same few in a circle."
      isFlush
    >
      {looped.length === 0 ? (
        <p class="panel-nothing">No model went round in circles.</p>
      ) : (
        <ul class="rows">
          {looped.map((tool) => (
            <li key={toolKey(tool)} class="row-item">
              <span class="row-name">{toolKey(tool)}</span>
              <span class="row-end">{counted(tool.loops, 'loop')}</span>
            </li>
          ))}
        </ul>
      )}
      {last.value.length > 0 && (
        <>
          <h3 class="panel-sub">Last said</h3>
          <ol class="feed">
            {last.value.map(({ seq, at, about, text, tone }) => (
              <li key={seq} class="feed-item">
                <span class={`feed-dot feed-${tone}`} />
                <span class="feed-text">
                  <b>{about}</b> {text}
                </span>
                <span class="feed-at">
                  <Age at={at} />
                </span>
              </li>
            ))}
          </ol>
        </>
      )}
    </Panel>
  );
}
