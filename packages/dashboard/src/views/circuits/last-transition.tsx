import type { JSX } from 'preact';
import { capitalised, reasonInWords } from '../../format/words.ts';
import { Age } from '../../parts/age.tsx';
import type { ReceivedCircuit } from './received-circuit.ts';

/** Why the circuit is in its state, in words, and since when. */
export function LastTransition({ circuit }: { readonly circuit: ReceivedCircuit }): JSX.Element {
  const { reason, note, since } = circuit;
  if (reason === null || reason === '') return <span class="nothing">never opened</span>;
  const said = note !== null && note !== '' ? note : capitalised(reasonInWords(reason));
  return (
    <>
      <span class="reason" title={said}>
        {said}
      </span>
      {since !== null && (
        <span class="reason-since">
          <Age at={since} />
        </span>
      )}
    </>
  );
}
