import { EXIT } from './exit-codes.ts';
import { Misuse } from './misuse.ts';

/** No gateway answers where one was asked. The message says what to do about it. */
export class NoGateway extends Misuse {
  override readonly exitCode: number = EXIT.noServer;
}
