import { parse } from 'yaml';
import { readText } from './repository.ts';

/** A panel of the dashboard, as far as tests look at it. */
export interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly gridPos: {
    readonly x: number;
    readonly y: number;
    readonly w: number;
    readonly h: number;
  };
  readonly targets?: readonly { readonly refId: string; readonly expr: string }[];
}

export const DASHBOARD = 'docs/operations/grafana-dashboard.json';
export const ALERTS = 'docs/operations/alerts.yml';

export function readPanels(): readonly Panel[] {
  return (JSON.parse(readText(DASHBOARD)) as { readonly panels: readonly Panel[] }).panels;
}

interface AlertFile {
  readonly groups: readonly {
    readonly rules: readonly { readonly alert: string; readonly expr: string }[];
  }[];
}

/** Everything that the dashboard and the alerts ask Prometheus, by what asks it. */
export function readQueries(): readonly (readonly [string, string])[] {
  const shown = readPanels().flatMap(({ title, targets = [] }) =>
    targets.map(({ refId, expr }) => [`panel ${title} ${refId}`, expr] as const),
  );
  const { groups } = parse(readText(ALERTS)) as AlertFile;
  const alerts = groups.flatMap(({ rules }) =>
    rules.map(({ alert, expr }) => [`alert ${alert}`, expr] as const),
  );
  return [...shown, ...alerts];
}
