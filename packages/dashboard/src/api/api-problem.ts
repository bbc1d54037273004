/** Why the gateway did not answer as asked, in its own words where it has any. */
export class ApiProblem extends Error {
  /** 0 where it could not be reached. */
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'ApiProblem';
    this.status = status;
  }
}

/** The problem in an answer that is an error. */
export async function readProblem(answer: Response): Promise<ApiProblem> {
  const told: unknown = await answer.json().catch(() => undefined);
  return new ApiProblem(answer.status, messageIn(told) ?? `the gateway answered ${answer.status}`);
}

function messageIn(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('error' in body)) return undefined;
  const { error } = body;
  if (typeof error !== 'object' || error === null || !('message' in error)) return undefined;
  return typeof error.message === 'string' ? error.message : undefined;
}
