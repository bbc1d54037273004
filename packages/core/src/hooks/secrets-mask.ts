import { maskSecrets } from '../internal/mask-secrets.ts';
import type { MessageMask } from './extension.ts';

/**
 * Takes keys, tokens and passwords out of messages; register it as `_10_mask_secrets`. The model does not see
 * them either, so leave it out where the model has to write them back.
 */
export const secretsMask: MessageMask = Object.freeze({ mask: maskSecrets });
