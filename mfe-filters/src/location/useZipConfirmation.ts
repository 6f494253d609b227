import { useCallback, useEffect, useRef } from 'react';
import { INVALID_ZIP, typedZipError } from '@forecourt/shared-contracts/criteria';
import { useSlotEnvironment } from '@forecourt/shared-contracts/slots';

/** `stale` = another ZIP was asked for meanwhile: nothing is to be done. */
export type ZipAnswer =
  | { readonly kind: 'valid' }
  | { readonly kind: 'stale' }
  | { readonly kind: 'invalid'; readonly message: string };

const INVALID: ZipAnswer = { kind: 'invalid', message: INVALID_ZIP };

/**
 * A typed ZIP is right when it has five digits and the look-up knows it; a
 * look-up that says no, fails or takes too long does not confirm it (B5-ZIP-01,
 * B5-ZIP-02, AMB-005). Anything but five digits makes no look-up.
 */
export function useZipConfirmation(): (zip: string) => Promise<ZipAnswer> {
  const { call } = useSlotEnvironment();
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  return useCallback(
    async (zip) => {
      running.current?.abort();
      const controller = new AbortController();
      running.current = controller;
      if (typedZipError(zip) !== undefined) return INVALID;
      const answer = await call('zipLookup', { zip }, { signal: controller.signal }).catch(() => undefined);
      if (controller.signal.aborted) return { kind: 'stale' };
      return answer?.success ? { kind: 'valid' } : INVALID;
    },
    [call],
  );
}
