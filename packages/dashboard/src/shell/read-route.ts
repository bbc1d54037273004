export const VIEWS = [
  'overview',
  'circuits',
  'parsing',
  'tools',
  'servers',
  'requests',
  'replicas',
] as const;

export type View = (typeof VIEWS)[number];

export interface Route {
  readonly view: View;
  /** The one thing that is looked at: the name of a circuit, the id of a request. */
  readonly item: string | undefined;
}

/** The address of a view, or of one thing in it. */
export function linkTo(view: View, item?: string): string {
  return item === undefined ? `#/${view}` : `#/${view}/${encodeURIComponent(item)}`;
}

export function readRoute(text: string): Route {
  const [, name = '', ...rest] = text.split('/');
  const view = VIEWS.find((each) => each === name) ?? 'overview';
  return { view, item: decoded(rest.join('/')) };
}

function decoded(text: string): string | undefined {
  if (text === '') return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
