import type { ToldPart } from '../../api/api-types.ts';

export interface RawSpan {
  readonly kind: 'text' | 'reasoning' | 'call';
  readonly text: string;
}

/**
 * Cuts the text of a model where the client was told something else: texts and reasoning that it was told are
 * found again in order, and what stands between them where it was told of a call is that call.
 */
export function markRaw(raw: string, told: readonly ToldPart[]): readonly RawSpan[] {
  const spans: RawSpan[] = [];
  let from = 0;
  let isCallBefore = false;
  const add = (kind: RawSpan['kind'], text: string): void => {
    if (text !== '') spans.push({ kind, text });
  };
  const gap = (to: number): void => {
    const between = raw.slice(from, to);
    if (!isCallBefore) {
      add('text', between);
      return;
    }
    // The lines around a call are not of it.
    const call = between.trim();
    const start = between.indexOf(call);
    add('text', between.slice(0, start));
    add('call', call);
    add('text', between.slice(start + call.length));
  };
  for (const part of told) {
    if (part.kind === 'call') {
      isCallBefore = true;
      continue;
    }
    const text = part.text.trim();
    const at = text === '' ? -1 : raw.indexOf(text, from);
    if (at < 0) continue;
    gap(at);
    add(part.kind, text);
    from = at + text.length;
    isCallBefore = false;
  }
  gap(raw.length);
  return spans;
}
