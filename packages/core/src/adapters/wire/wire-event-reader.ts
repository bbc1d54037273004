import { HoldfastError } from '../../errors.ts';
import { readObject } from './json-fields.ts';
import type { WireEvent } from './wire-event.ts';

/** Events are far smaller; a server that never ends a line must not fill the memory. */
const MOST_CHARACTERS = 16_777_216;

/** Reads server-sent events from text that comes in pieces of any size. */
export class WireEventReader {
  /** What came of a line that has not ended. In pieces: joining them each time would cost their length again. */
  #pieces: string[] = [];
  #held = 0;
  /** Whether the last piece ended in a carriage return, whose line feed may be the next character. */
  #endedInReturn = false;
  #name = '';
  #data: string[] = [];

  feed(text: string): WireEvent[] {
    const events: WireEvent[] = [];
    const piece = this.#endedInReturn && text.startsWith('\n') ? text.slice(1) : text;
    if (text !== '') this.#endedInReturn = text.endsWith('\r');
    const lines = piece.split(LINE_END);
    const rest = lines.pop() ?? '';
    for (const line of lines) this.#readLine(this.#takeLine(line), events);
    if (rest !== '') this.#pieces.push(rest);
    this.#measure(events.length > 0 ? rest.length : this.#held + piece.length);
    return events;
  }

  /** No more comes. An event whose end is missing is told where it is whole, as some servers forget the end. */
  end(): WireEvent[] {
    const events: WireEvent[] = [];
    const line = this.#takeLine('');
    if (line !== '') this.#readLine(line, events);
    this.#readLine('', events);
    return events.filter(({ body, data }) => body !== undefined || data.trim() === '[DONE]');
  }

  #takeLine(end: string): string {
    if (this.#pieces.length === 0) return end;
    const line = this.#pieces.join('') + end;
    this.#pieces = [];
    return line;
  }

  #readLine(line: string, events: WireEvent[]): void {
    if (line === '') {
      if (this.#data.length > 0) events.push(eventOf(this.#name, this.#data.join('\n')));
      this.#name = '';
      this.#data = [];
      return;
    }
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + (line[colon + 1] === ' ' ? 2 : 1));
    if (field === 'data') this.#data.push(value);
    else if (field === 'event') this.#name = value;
  }

  /** `held` is what came since the last event that is whole. */
  #measure(held: number): void {
    this.#held = held;
    if (held <= MOST_CHARACTERS) return;
    const message = `the server sent an event of more than ${MOST_CHARACTERS} characters, and none may be longer`;
    throw new HoldfastError('parse-too-large', message);
  }
}

const LINE_END = /\r\n|\n|\r/;

function eventOf(name: string, data: string): WireEvent {
  const body = readObject(data);
  return { data, ...(name !== '' && { name }), ...(body !== undefined && { body }) };
}
