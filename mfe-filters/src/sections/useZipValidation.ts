import { useCallback, useEffect, useRef } from 'react';
import { INVALID_ZIP, typedZipError } from '@forecourt/search/criteria';
import { useSlotEnvironment } from '@forecourt/slots';

/** `stale`: superseded by a later lookup; ignore it. */
type ZipResult =
  | { readonly kind: 'valid' }
  | { readonly kind: 'stale' }
  | { readonly kind: 'invalid'; readonly message: string };

const INVALID: ZipResult = { kind: 'invalid', message: INVALID_ZIP };

/**
 * Validates a ZIP code: five digits that the lookup knows. A failed or timed-out lookup makes it invalid; other text
 * makes no lookup.
 */
export function useZipValidation(): (zip: string) => Promise<ZipResult> {
  const { call } = useSlotEnvironment();
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  return useCallback(
    async (zip) => {
      running.current?.abort();
      const controller = new AbortController();
      running.current = controller;
      if (typedZipError(zip) !== undefined) return INVALID;
      const response = await call('zipLookup', { zip }, { signal: controller.signal }).catch(() => undefined);
      if (controller.signal.aborted) return { kind: 'stale' };
      return response?.success ? { kind: 'valid' } : INVALID;
    },
    [call],
  );
}
