/** The name of a tool among all: `server / tool`. */
export function toolKey({
  server,
  tool,
}: {
  readonly server?: string | null;
  readonly tool: string;
}): string {
  return server === null || server === undefined ? tool : `${server} / ${tool}`;
}
