import { newKey } from './newKey.ts';

/** What a form knows of sendings that wait from before. */
export interface WaitingSendings {
  /** Key of a sending of the same body that waits already, e.g. from before the dialog was closed. */
  readonly waitingKey?: ((body: object) => string | undefined) | undefined;
  /** Key of a sending that waits, whose words the form shows and may change. */
  readonly initialKey?: string | undefined;
  /** The words of a failed sending were changed: that one is not wanted any more. */
  readonly onAbandoned?: ((key: string) => void) | undefined;
}

export interface SendingKeys {
  /** Idempotency key of a body that has none yet. */
  readonly keyOf: (body: object) => string;
  /** Was the newest sending of the form made with this key? */
  readonly isNewest: (key: string) => boolean;
}

/**
 * Idempotency keys of one form. A repeated sending of the same words has the
 * same key and is stored once, even when only the answer to the first was
 * lost; changed words are a new message.
 */
export function createSendingKeys({
  waitingKey,
  initialKey = '',
  onAbandoned,
}: WaitingSendings): SendingKeys {
  let newest = { words: '', key: initialKey };
  return {
    keyOf(body) {
      const words = JSON.stringify(body);
      if (newest.words === words) return newest.key;
      const key = waitingKey?.(body) ?? newKey();
      if (newest.key && newest.key !== key) onAbandoned?.(newest.key);
      newest = { words, key };
      return key;
    },
    isNewest: (key) => key === newest.key,
  };
}
