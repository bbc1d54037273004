import type { Dice } from '../dice.ts';
import type { Violations } from '../invariants/violations.ts';
import type { Windows } from '../invariants/windows.ts';
import type { Door } from './door.ts';

/** What a dashboard, a scraper and a load balancer ask for. */
const PATHS = [
  '/',
  '/healthz',
  '/readyz',
  '/metrics',
  '/v1/models',
  '/api/v1/status',
  '/api/v1/overview?minutes=15',
  '/api/v1/circuits',
  '/api/v1/requests?limit=100',
  '/api/v1/parsing',
  '/api/v1/tools',
  '/api/v1/failures?limit=100',
  '/api/v1/replicas',
  '/api/v1/logs?limit=200',
  '/api/v1/history?limit=100',
  '/api/v1/history?kind=failures&limit=100',
  '/api/v1/history?kind=transitions&limit=100',
] as const;

export interface Watching {
  readonly door: Door;
  readonly violations: Violations;
  /** When the gateway was short of file descriptors, and may not be able to read its history. */
  readonly cramped: Windows;
}

/** Asks for one thing as those who watch do. What is not answered with 200 and, where it is JSON, read, is a violation. */
export async function askAsDashboard(
  { door, violations, cramped }: Watching,
  dice: Dice,
  withinMs: number,
): Promise<void> {
  const from = performance.now();
  const path = dice.pick(PATHS);
  const answer = await door.ask({ what: `GET ${path}`, method: 'GET', path, withinMs });
  if (answer === undefined) return;
  const { status, headers, body } = answer;
  const isJson = (headers['content-type'] ?? '').includes('application/json');
  // Where no model server answers, the gateway cannot say what models they have.
  const isAway = path === '/v1/models' && status >= 502 && status <= 504;
  const isRight = status === 200 || isAway || cramped.touches(from);
  violations.check(
    'answered',
    isRight && (!isJson || isReadable(body)),
    () => `GET ${path} was answered with ${status}: ${body.slice(0, 300)}`,
  );
}

function isReadable(body: string): boolean {
  try {
    JSON.parse(body);
    return true;
  } catch {
    return false;
  }
}
