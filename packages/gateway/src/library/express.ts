import type { IncomingMessage, ServerResponse } from 'node:http';
import { createHandler } from './create-handler.ts';
import type { HandlerConfig, HandlerOptions } from './create-handler.ts';

/** A middleware for Express, or anything else that calls functions as Express does. */
export interface HoldfastMiddleware {
  (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void): void;
  /** Takes no more requests, and resolves when those that run are done or their time is up. */
  readonly close: () => Promise<void>;
}

/** Options of `createHandler`; what stands before our paths Express takes away itself. */
export type ExpressOptions = Omit<HandlerOptions, 'basePath'>;

/**
 * The gateway inside an Express app: `app.use('/ai', await holdfastMiddleware(config))`. Put it before what reads
 * bodies. Paths that are not ours go to the next middleware.
 */
export async function holdfastMiddleware(
  config: HandlerConfig,
  options: ExpressOptions = {},
): Promise<HoldfastMiddleware> {
  const handler = await createHandler(config, options);
  const middleware = (
    request: IncomingMessage,
    response: ServerResponse,
    next: (error?: unknown) => void,
  ): void => {
    if (handler.owns(request)) handler(request, response);
    else next();
  };
  return Object.assign(middleware, { close: handler.close });
}

export type { HandlerConfig } from './create-handler.ts';
export { ConfigError } from './config-error.ts';
