/** What is kept apart: a flood of one kind takes no room from the others, and a question reads one kind only. */
export const HISTORY_KINDS = ['requests', 'failures', 'transitions', 'traffic'] as const;

export type HistoryKind = (typeof HISTORY_KINDS)[number];

export function isHistoryKind(text: string): text is HistoryKind {
  return HISTORY_KINDS.some((kind) => kind === text);
}
