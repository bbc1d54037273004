import { useEffect } from 'preact/hooks';
import type { JSX } from 'preact';
import { Countdown } from '../../parts/countdown.tsx';
import { circuits } from './circuit-list.ts';
import type { ReceivedCircuit } from './received-circuit.ts';

/** The time until single calls may try again. */
export function HalfOpenIn({ circuit }: { readonly circuit: ReceivedCircuit }): JSX.Element | null {
  const { state, halfOpenAt } = circuit;
  useEffect(() => {
    if (halfOpenAt === undefined) return undefined;
    // Nobody is told when the time is over: the circuit itself notices when it is next looked at.
    const timer = setTimeout(() => circuits.refresh(), Math.max(0, halfOpenAt - Date.now()) + 50);
    return () => clearTimeout(timer);
  }, [halfOpenAt]);
  if (state !== 'open') return null;
  if (halfOpenAt === undefined) return <span class="half-open-in">until it is reset</span>;
  return (
    <span class="half-open-in">
      half-open in <Countdown until={halfOpenAt} after="a moment" />
    </span>
  );
}
