import type { JSX } from 'preact';
import { useResource } from '../../api/resource.ts';
import { Empty } from '../../parts/message.tsx';
import { Shown, Skeleton } from '../../parts/shown.tsx';
import { ViewPage } from '../../parts/view.tsx';
import { isLoadingOlder, loadOlder, mayHaveOlder, newest, requests } from './request-list.ts';
import { RequestTable } from './request-table.tsx';

/** What went through the model proxy. */
export function RequestsView(): JSX.Element {
  useResource(newest);
  return (
    <ViewPage
      title="Requests"
      intro="Turns of models through the proxy: what was read, mended and told."
    >
      <Shown of={newest} loading={<Skeleton lines={10} tall />}>
        {() =>
          requests.value.length === 0 ? (
            <Empty icon="requests" title="No request yet">
              Point a client of OpenAI or Anthropic at <code>{location.origin}</code> and it shows
              up here.
            </Empty>
          ) : (
            <>
              <section class="panel panel-alone" aria-label="Requests">
                <RequestTable requests={requests.value} />
              </section>
              {mayHaveOlder.value && (
                <p class="more">
                  <button
                    type="button"
                    class="button"
                    disabled={isLoadingOlder.value}
                    onClick={() => void loadOlder()}
                  >
                    Show older ones
                  </button>
                </p>
              )}
            </>
          )
        }
      </Shown>
    </ViewPage>
  );
}
