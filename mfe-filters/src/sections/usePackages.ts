import { useEffect, useState } from 'react';
import { useSlotEnvironment } from '@forecourt/slots';
import type { CallResponses } from '@forecourt/upstream/calls';
import { useDeferredSelectedValues } from '../search/searchEdits.tsx';

type PackageName = CallResponses['packages']['results']['packageNames'][number];

type Packages =
  | {
      readonly status: 'loading' | 'ready';
      readonly packages: readonly PackageName[];
      readonly error?: undefined;
    }
  | { readonly status: 'failed'; readonly packages: readonly PackageName[]; readonly error: string };

const NO_PACKAGES: readonly PackageName[] = [];

const LOADING: Packages = { status: 'loading', packages: NO_PACKAGES };

/** Shown when the shell didn't respond; otherwise its response contains the message. */
const NO_RESPONSE = "Packages aren't available right now.";

/** Packages of the selected trims. On a timeout or open circuit breaker the response has a message. */
export function usePackages(): Packages & { readonly retry: () => void } {
  const { call } = useSlotEnvironment();
  const makeCode = useDeferredSelectedValues('makeCode').join(',');
  const modelCode = useDeferredSelectedValues('modelCode').join(',');
  const trimCode = useDeferredSelectedValues('trimCode').join(',');
  const [attempt, setAttempt] = useState(0);
  const key = JSON.stringify([makeCode, modelCode, trimCode, attempt]);
  const [response, setLoaded] = useState<{ readonly key: string; readonly packages: Packages }>();
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const finish = (packages: Packages) => {
      if (!signal.aborted) setLoaded({ key, packages });
    };
    call('packages', { makeCode, modelCode, trimCode }, { signal }).then(
      (response: Awaited<ReturnType<typeof call<'packages'>>> | { readonly error: string }) =>
        finish(
          'error' in response
            ? { status: 'failed', packages: NO_PACKAGES, error: response.error }
            : { status: 'ready', packages: response.results.packageNames },
        ),
      () => finish({ status: 'failed', packages: NO_PACKAGES, error: NO_RESPONSE }),
    );
    return () => controller.abort();
  }, [call, key, makeCode, modelCode, trimCode]);
  return {
    ...(response?.key === key ? response.packages : LOADING),
    retry: () => setAttempt((count) => count + 1),
  };
}
