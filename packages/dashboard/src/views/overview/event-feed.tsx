import type { JSX } from 'preact';
import { eventLog } from '../../live/event-log.ts';
import { Age } from '../../parts/age.tsx';
import { Panel } from '../../parts/panel.tsx';

const MOST = 10;

/** What happened last, as it happens. Not said aloud: it would never stop. */
export function EventFeed(): JSX.Element {
  const events = eventLog.value.slice(0, MOST);
  return (
    <Panel title="Latest" isFlush>
      {events.length === 0 ? (
        <p class="panel-nothing">Nothing out of the ordinary has happened.</p>
      ) : (
        <ol class="feed">
          {events.map(({ seq, at, tone, about, text, times }) => (
            <li key={seq} class="feed-item">
              <span class={`feed-dot feed-${tone}`} />
              <span class="feed-text">
                <b>{about}</b> {text}
                {times > 1 && <span class="feed-times"> × {times}</span>}
              </span>
              <span class="feed-at">
                <Age at={at} />
              </span>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}
