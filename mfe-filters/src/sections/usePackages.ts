import { useEffect, useState } from 'react';
import { useSlotEnvironment } from '@forecourt/shared-contracts/slots';
import { useLaterChosen } from '../search/searchEdits.tsx';
import type { PackageName } from '../callTypes.ts';

type Packages =
  | {
      readonly status: 'loading' | 'ready';
      readonly packages: readonly PackageName[];
      readonly error?: undefined;
    }
  | { readonly status: 'failed'; readonly packages: readonly PackageName[]; readonly error: string };

const NO_PACKAGES: readonly PackageName[] = [];
const LOADING: Packages = { status: 'loading', packages: NO_PACKAGES };
/** What is said when not even the shell answered; its own texts name time-out and breaker. */
const NO_ANSWER = 'Packages are not available right now.';

/**
 * The packages of the chosen trims. A call which takes too long answers
 * 'Request timed out', an open breaker its own text (A8-ERR-04, AMB-168).
 */
export function usePackages(): Packages & { readonly retry: () => void } {
  const { call } = useSlotEnvironment();
  const makeCode = useLaterChosen('makeCode').join(',');
  const modelCode = useLaterChosen('modelCode').join(',');
  const trimCode = useLaterChosen('trimCode').join(',');
  const [attempt, setAttempt] = useState(0);
  const key = JSON.stringify([makeCode, modelCode, trimCode, attempt]);
  const [answered, setAnswered] = useState<{ readonly key: string; readonly packages: Packages }>();
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const answer = (packages: Packages) => {
      if (!signal.aborted) setAnswered({ key, packages });
    };
    call('packages', { makeCode, modelCode, trimCode }, { signal }).then(
      (found: Awaited<ReturnType<typeof call<'packages'>>> | { readonly error: string }) =>
        answer(
          'error' in found
            ? { status: 'failed', packages: NO_PACKAGES, error: found.error }
            : { status: 'ready', packages: found.results.packageNames },
        ),
      () => answer({ status: 'failed', packages: NO_PACKAGES, error: NO_ANSWER }),
    );
    return () => controller.abort();
  }, [call, key, makeCode, modelCode, trimCode]);
  return {
    ...(answered?.key === key ? answered.packages : LOADING),
    retry: () => setAttempt((count) => count + 1),
  };
}
