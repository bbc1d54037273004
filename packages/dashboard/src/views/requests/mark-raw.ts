import type { ToldPart } from '../../api/api-types.ts';

export interface RawSpan {
  readonly kind: 'text' | 'reasoning' | 'call';
  readonly text: string;
  /** What was mended in a call. */
  readonly repairs?: readonly string[];
}

/**
 * Cuts the text of a model where the client was told something else: texts and reasoning that it was told are
 * found again in order, and what stands between them where it was told of a call is that call.
 */
export function markRaw(raw: string, told: readonly ToldPart[]): readonly RawSpan[] {
  const spans: RawSpan[] = [];
  let from = 0;
  /** Those of the calls that were told since the last text; undefined where there were none. */
  let repairs: readonly string[] | undefined;
  const add = (kind: RawSpan['kind'], text: string): void => {
    if (text !== '') spans.push({ kind, text });
  };
  const gap = (to: number): void => {
    const between = raw.slice(from, to);
    if (repairs === undefined) {
      add('text', between);
      return;
    }
    // The lines around a call are not of it.
    const call = between.trim();
    const start = between.indexOf(call);
    add('text', between.slice(0, start));
    if (call !== '') spans.push({ kind: 'call', text: call, repairs });
    add('text', between.slice(start + call.length));
  };
  for (const part of told) {
    if (part.kind === 'call') {
      repairs = [...new Set([...(repairs ?? []), ...part.repairs])];
      continue;
    }
    const text = part.text.trim();
    const at = text === '' ? -1 : raw.indexOf(text, from);
    if (at < 0) continue;
    gap(at);
    add(part.kind, text);
    from = at + text.length;
    repairs = undefined;
  }
  gap(raw.length);
  return spans;
}
