import { createToolCallStream } from './create-tool-call-stream.ts';
import type { CreateToolCallStreamOptions } from './create-tool-call-stream.ts';
import type { ParseEvent } from './parse-event.ts';
import type { ToolCallStream } from './stream.ts';

/** `createToolCallStream` as a web stream: text goes in, events come out. */
export class ToolCallTransformStream extends TransformStream<string, ParseEvent> {
  constructor(options: Omit<CreateToolCallStreamOptions, 'onEvent'> = {}) {
    let stream: ToolCallStream | undefined;
    super({
      start(controller) {
        stream = createToolCallStream({
          ...options,
          onEvent: (event) => controller.enqueue(event),
        });
      },
      transform(chunk) {
        stream?.feed(chunk);
      },
      flush() {
        stream?.end();
      },
    });
  }
}
