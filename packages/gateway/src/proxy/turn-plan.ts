import type { UpstreamProtocol } from '../config/gateway-config.ts';
import type { TranslatedRequest } from './client-protocol.ts';
import type { UpstreamRequest } from './upstream/upstream-client.ts';
import type { Candidate } from './upstream/upstreams.ts';

/** What one upstream is asked, and how. */
export interface TurnPlan {
  readonly candidate: Candidate;
  readonly speaks: UpstreamProtocol;
  /** The dialect in which the model was told of its tools; undefined where the `tools` field tells it. */
  readonly promptedIn: string | undefined;
  readonly translated: TranslatedRequest;
  readonly asked: UpstreamRequest;
}
