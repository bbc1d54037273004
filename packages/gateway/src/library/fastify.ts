import type { IncomingMessage, ServerResponse } from 'node:http';
import { createHandler } from './create-handler.ts';
import type { HandlerConfig, HandlerOptions } from './create-handler.ts';

/** Fastify 4 takes no other methods than those it names. */
type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What we need of a Fastify instance. */
export interface FastifyLike {
  readonly prefix: string;
  removeAllContentTypeParsers(): unknown;
  addContentTypeParser(
    contentType: string,
    parser: (request: unknown, payload: unknown, done: (error: null) => void) => void,
  ): unknown;
  route(options: {
    readonly method: Method[];
    readonly url: string;
    readonly handler: (
      request: { readonly raw: IncomingMessage },
      reply: { readonly raw: ServerResponse; hijack(): unknown },
    ) => void;
  }): unknown;
  addHook(name: 'onClose', hook: () => Promise<void>): unknown;
}

/** Options of `register`. What stands before our paths is its `prefix`. */
export interface FastifyOptions extends Omit<HandlerOptions, 'basePath'> {
  readonly config: HandlerConfig;
}

/** Browsers ask with OPTIONS for what other origins may do; that is for the app to answer. */
const METHODS: Method[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * The gateway inside a Fastify app: `app.register(holdfastPlugin, { prefix: '/ai', config })`. It reads bodies
 * itself, and closes with the app.
 */
export async function holdfastPlugin(
  fastify: FastifyLike,
  { config, env, folder, parts, hosts, logTo, clock }: FastifyOptions,
): Promise<void> {
  const options = { env, folder, parts, hosts, logTo, clock, basePath: fastify.prefix };
  const handler = await createHandler(config, options);
  // Only what is registered in here is without them.
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('*', (_request, _payload, done) => done(null));
  fastify.route({
    method: METHODS,
    url: '/*',
    handler: (request, reply) => {
      reply.hijack();
      handler(request.raw, reply.raw);
    },
  });
  fastify.addHook('onClose', () => handler.close());
}

export type { HandlerConfig } from './create-handler.ts';
export { ConfigError } from './config-error.ts';
