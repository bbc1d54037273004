import type { JsonValue } from '@holdfast/core';

/** An error that a client is answered with as it is, by its number in JSON-RPC. */
export class ProtocolFault extends Error {
  override readonly name = 'ProtocolFault';
  readonly code: number;
  readonly data?: JsonValue;

  constructor(code: number, message: string, data?: JsonValue) {
    super(message);
    this.code = code;
    if (data !== undefined) this.data = data;
  }
}

export const METHOD_NOT_FOUND = -32_601;
export const INVALID_PARAMS = -32_602;
export const INTERNAL_ERROR = -32_603;
