import { digitsLostMessage, unkeptNumbers } from '../internal/number-digits.ts';
import type { Repair, ToolCall } from '../types.ts';
import type { RawCall } from './format.ts';
import type { OfferedTools } from './offered-tools.ts';

/**
 * A call as the user gets it: with an id, and with the name of the tool that it can only mean. `onLoss` is
 * called with a message where a number of the call lost digits.
 */
export function completeCall(
  raw: RawCall,
  format: string,
  id: string,
  tools: OfferedTools | undefined,
  onLoss: (message: string) => void,
): ToolCall {
  const { name: written, arguments: args, argumentsText, complete } = raw;
  const name = tools?.resolve(written) ?? written;
  const lost =
    argumentsText === undefined ? unkeptNumbers(args, tools?.parametersOf(written)) : NONE;
  if (lost.length > 0) onLoss(digitsLostMessage(name, lost));
  const repairs: readonly Repair[] = name === written ? raw.repairs : [...raw.repairs, 'tool-name'];
  const lossy = raw.lossy || lost.length > 0;
  // Spreading one into the other would cost more than reading a short call.
  return argumentsText === undefined
    ? { id, name, arguments: args, format, repairs, complete, lossy }
    : { id, name, arguments: args, argumentsText, format, repairs, complete, lossy };
}

const NONE: readonly string[] = [];
