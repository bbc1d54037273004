import type { World } from '../world/world.ts';

/** A file of the configuration that is wrong is an error on purpose. */
const OF_CONFIGURATION = /"file":"[^"]*holdfast\.yaml"/;

/** The gateway runs, and logs nothing that it should not have to say of itself. */
export function checkNoInternalErrors({ gateway, violations }: World): void {
  violations.check(
    'no-internal-errors',
    gateway.isRunning,
    () =>
      `the gateway ended with ${gateway.ending ?? ''}:\n${gateway.log.tail.slice(-20).join('\n')}`,
  );
  const errors = gateway.log.takeErrors().filter(({ text }) => !OF_CONFIGURATION.test(text));
  for (const { text } of errors) {
    violations.check('no-internal-errors', false, () => `logged ${text.slice(0, 1500)}`);
  }
}
