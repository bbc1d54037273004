import type { PluginContext } from './plugin.ts';
import type { PluginCall } from './plugin-run.ts';

/** What one plugin knows of one call, from its beginning to its end. */
export class PluginCallContext implements PluginContext {
  readonly request_id: string;
  readonly server_id?: string;
  readonly tenant_id?: string;
  readonly user?: string;
  readonly conversation_id?: string;
  readonly shown_name: string;
  readonly unlisted?: true;
  readonly state: Record<string, unknown> = {};
  /** Made when it is first asked for: most plugins answer at once. */
  #controller: AbortController | undefined;

  constructor(call: PluginCall) {
    this.request_id = call.requestId;
    this.shown_name = call.shownName ?? call.tool;
    if (call.isUnlisted === true) this.unlisted = true;
    if (call.server !== undefined) this.server_id = call.server;
    if (call.tenant !== undefined) this.tenant_id = call.tenant;
    if (call.user !== undefined) this.user = call.user;
    if (call.conversation !== undefined) this.conversation_id = call.conversation;
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    return this.#controller.signal;
  }

  /** Nobody waits any more. What is asked of the plugin next has a signal of its own. */
  abort(reason: Error): void {
    this.#controller?.abort(reason);
    this.#controller = undefined;
  }
}
