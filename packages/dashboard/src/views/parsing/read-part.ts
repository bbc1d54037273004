import type { ParseIssue, ParseStreamEvent } from './stream-parse.ts';

/** What was read so far, in the order of the text. */
export type ReadPart =
  | { readonly kind: 'text' | 'reasoning'; readonly text: string }
  | {
      readonly kind: 'call';
      readonly id: string;
      readonly name: string;
      readonly format: string;
      /** JSON as it comes; whole when the call is. */
      readonly args: string;
      readonly repairs: readonly string[];
      readonly isWhole: boolean;
      readonly isLossy: boolean;
    };

export interface ReadSoFar {
  readonly parts: readonly ReadPart[];
  readonly issues: readonly ParseIssue[];
  readonly position: number;
}

export const NOTHING_READ: ReadSoFar = { parts: [], issues: [], position: 0 };

/** Adds what one event tells. */
export function addRead(read: ReadSoFar, event: ParseStreamEvent): ReadSoFar {
  switch (event.type) {
    case 'text-delta':
      return { ...read, parts: addText(read.parts, 'text', event.text) };
    case 'reasoning-delta':
      return { ...read, parts: addText(read.parts, 'reasoning', event.text) };
    case 'call-start': {
      const { id, name, format } = event;
      const call = { id, name, format, args: '', repairs: [], isWhole: false, isLossy: false };
      return { ...read, parts: [...read.parts, { kind: 'call', ...call }] };
    }
    case 'call-delta':
      return { ...read, parts: changeCall(read.parts, event.id, (args) => args + event.fragment) };
    case 'call-end':
      return { ...read, parts: endCall(read.parts, event.call) };
    case 'issue': {
      const { issue } = event;
      const isTakenBack = issue.code === 'call-abandoned';
      const parts = isTakenBack
        ? read.parts.filter((part) => part.kind !== 'call' || part.id !== issue.call_id)
        : read.parts;
      return { ...read, parts, issues: [...read.issues, issue] };
    }
    case 'progress':
      return { ...read, position: event.position };
    case 'markup':
    case 'done':
      return read;
  }
}

function addText(
  parts: readonly ReadPart[],
  kind: 'text' | 'reasoning',
  text: string,
): readonly ReadPart[] {
  const last = parts.at(-1);
  if (last?.kind !== kind) return [...parts, { kind, text }];
  return [...parts.slice(0, -1), { kind, text: last.text + text }];
}

function changeCall(
  parts: readonly ReadPart[],
  id: string,
  change: (args: string) => string,
): readonly ReadPart[] {
  return parts.map((part) =>
    part.kind === 'call' && part.id === id ? { ...part, args: change(part.args) } : part,
  );
}

function endCall(
  parts: readonly ReadPart[],
  call: Extract<ParseStreamEvent, { type: 'call-end' }>['call'],
): readonly ReadPart[] {
  const { id, name, format, repairs, lossy } = call;
  const args = JSON.stringify(call.arguments, null, 2);
  const ended: ReadPart = {
    kind: 'call',
    id,
    name,
    format,
    args,
    repairs,
    isWhole: true,
    isLossy: lossy,
  };
  const isKnown = parts.some((part) => part.kind === 'call' && part.id === id);
  if (!isKnown) return [...parts, ended];
  return parts.map((part) => (part.kind === 'call' && part.id === id ? ended : part));
}
