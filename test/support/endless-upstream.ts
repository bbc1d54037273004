import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Protocol } from './scripted-model.ts';

/** What is repeated without end: text, or the arguments of a native call. */
export type Endless = 'text' | 'arguments';

export interface EndlessUpstream {
  /** Up to the version. */
  readonly url: string;
  /** How many bytes were sent in the last stream. */
  readonly sentBytes: () => number;
  /** How many streams are open. */
  readonly open: () => number;
  say(what: Endless): void;
  close(): Promise<void>;
}

type Stream = readonly [start: readonly object[], unit: object];

const chunk = (delta: object): object => ({
  id: 'c',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason: null }],
});

/** Long enough to be quick, short enough to be sent in many events. */
const PART = 'word '.repeat(100);

const STREAMS: Readonly<Record<Protocol, Readonly<Record<Endless, Stream>>>> = {
  chat: {
    text: [[], chunk({ content: PART })],
    arguments: [
      [
        chunk({
          tool_calls: [{ index: 0, id: 'call_1', function: { name: 'f', arguments: '{"a":"' } }],
        }),
      ],
      chunk({ tool_calls: [{ index: 0, function: { arguments: PART } }] }),
    ],
  },
  messages: {
    text: [
      [
        messageStart(),
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      ],
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: PART } },
    ],
    arguments: [
      [
        messageStart(),
        {
          type: 'content_block_start',
          index: 0,
          content_block: { type: 'tool_use', id: 'toolu_1', name: 'f', input: {} },
        },
        {
          type: 'content_block_delta',
          index: 0,
          delta: { type: 'input_json_delta', partial_json: '{"a":"' },
        },
      ],
      {
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'input_json_delta', partial_json: PART },
      },
    ],
  },
  responses: {
    text: [
      [
        responseStart(),
        {
          type: 'response.output_item.added',
          output_index: 0,
          item: {
            type: 'message',
            id: 'msg_1',
            role: 'assistant',
            status: 'in_progress',
            content: [],
          },
        },
        {
          type: 'response.content_part.added',
          item_id: 'msg_1',
          output_index: 0,
          content_index: 0,
          part: { type: 'output_text', text: '', annotations: [] },
        },
      ],
      {
        type: 'response.output_text.delta',
        item_id: 'msg_1',
        output_index: 0,
        content_index: 0,
        delta: PART,
      },
    ],
    arguments: [
      [
        responseStart(),
        {
          type: 'response.output_item.added',
          output_index: 0,
          item: { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'f', arguments: '' },
        },
      ],
      {
        type: 'response.function_call_arguments.delta',
        item_id: 'fc_1',
        output_index: 0,
        delta: PART,
      },
    ],
  },
};

/** A model server that never ends its stream, in whichever protocol it is asked. */
export async function startEndlessUpstream(): Promise<EndlessUpstream> {
  let what: Endless = 'text';
  let sent = 0;
  let open = 0;
  const server = createServer((request, response) => {
    const [start, unit] = STREAMS[protocolOf(request.url ?? '')][what];
    sent = 0;
    open++;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const send = (text: string): boolean => {
      sent += text.length;
      return response.write(text);
    };
    send(start.map(eventOf).join(''));
    const more = eventOf(unit);
    const go = (): void => {
      while (!response.destroyed && send(more));
    };
    response.on('drain', go).on('close', () => open--);
    request.resume().on('end', go);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    sentBytes: () => sent,
    open: () => open,
    say: (next) => void (what = next),
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function protocolOf(path: string): Protocol {
  if (path.endsWith('/messages')) return 'messages';
  return path.endsWith('/responses') ? 'responses' : 'chat';
}

function eventOf(event: object): string {
  const name = 'type' in event ? `event: ${String(event.type)}\n` : '';
  return `${name}data: ${JSON.stringify(event)}\n\n`;
}

function messageStart(): object {
  const usage = { input_tokens: 1, output_tokens: 1 };
  const about = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [] };
  return {
    type: 'message_start',
    message: { ...about, stop_reason: null, stop_sequence: null, usage },
  };
}

function responseStart(): object {
  const about = { id: 'resp_1', object: 'response', created_at: 1, model: 'm', output: [] };
  return { type: 'response.created', response: { ...about, status: 'in_progress' } };
}
