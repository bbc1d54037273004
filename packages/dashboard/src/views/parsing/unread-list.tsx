import type { JSX } from 'preact';
import type { UnreadCall } from '../../api/api-types.ts';
import { Age } from '../../parts/age.tsx';
import { Panel } from '../../parts/panel.tsx';
import { linkTo } from '../../shell/read-route.ts';
import { Explanation } from './explanation.tsx';

/** What looked like a call and was none, with the reasons. */
export function UnreadList({ unread }: { readonly unread: readonly UnreadCall[] }): JSX.Element {
  return (
    <Panel title="Calls that could not be read" hint="They reached the client as text." isFlush>
      {unread.length === 0 ? (
        <p class="panel-nothing">Every call that was written could be read.</p>
      ) : (
        <ul class="unread">
          {unread.map((call, at) => (
            <li key={`${call.request_id} ${call.code} ${at}`} class="unread-item">
              <details>
                <summary class="unread-head">
                  <span class="chip chip-warn">{call.code}</span>
                  <span class="unread-message">{call.message}</span>
                  <span class="unread-at">
                    {call.model}, <Age at={call.at} />
                  </span>
                </summary>
                <div class="unread-body">
                  {call.text === null ? (
                    <p class="nothing">
                      Its text was not kept. <code>observe.capture: true</code> in{' '}
                      <code>holdfast.yaml</code> keeps it from now on.
                    </p>
                  ) : (
                    <Explanation text={call.text} />
                  )}
                  <a class="text-button" href={linkTo('requests', call.request_id)}>
                    Look at the request
                  </a>
                </div>
              </details>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
