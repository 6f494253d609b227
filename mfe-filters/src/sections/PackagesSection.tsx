import { useCallback, useMemo, type ReactNode, useEffect, useState } from 'react';
import { toggleValue } from '../search/criteriaChanges.ts';
import { useSlotEnvironment } from '@forecourt/shared-contracts/slots';
import { Button, Skeleton } from '@forecourt/shared-contracts/ui';
import { useFilter, usePanelData } from '../search/panelData.tsx';
import { panelOptions, type PanelSection } from './panelSections.ts';
import { useEdit, useDeferredSelectedValues } from '../search/searchEdits.tsx';
import { useEverSelected } from './ChoiceSection.tsx';
import { OptionList } from './OptionList.tsx';
import styles from './fields.module.css';
import type { CallResponses } from '@forecourt/shared-contracts/calls';

type PackageName = CallResponses['packages']['results']['packageNames'][number];

const PARAM = 'packages';

/**
 * Packages of the selected trim. The names come from a separate call, made when the section opens; the search response
 * adds the counts (A7-PACK-01, A7-PACK-02).
 */
export function PackagesSection({ panel }: { panel: PanelSection }): ReactNode {
  const edit = useEdit();
  const { labelOf } = usePanelData();
  const filter = useFilter(PARAM);
  const { status, packages, error, retry } = usePackages();
  const selectedValues = useEverSelected(useDeferredSelectedValues(PARAM));
  const options = useMemo(() => {
    const optionsByValue = new Map(filter?.options.map((option) => [option.value, option]));
    const namedOptions = packages.map(({ name, code }) => ({
      selected: false,
      disabled: false,
      ...optionsByValue.get(code),
      value: code,
      label: name,
    }));
    const namedFilter =
      packages.length === 0
        ? filter
        : { name: PARAM, label: panel.label, collapsed: true, value: '', options: namedOptions };
    return panelOptions(panel.section, PARAM, namedFilter, selectedValues, labelOf);
  }, [filter, packages, panel, selectedValues, labelOf]);
  const toggle = useCallback(
    (value: string) => edit((current) => toggleValue(current, PARAM, value), `filter:${PARAM}`),
    [edit],
  );
  return (
    <>
      {status === 'failed' && (
        <div role="alert" className={styles['error']}>
          <p>{error}</p>
          <Button look="quiet" onClick={retry}>
            Try Again
          </Button>
        </div>
      )}
      {status === 'loading' && options.length === 0 && <Skeleton height="132px" />}
      {status === 'ready' && options.length === 0 && <p>No packages for this trim.</p>}
      <OptionList label={panel.label} param={PARAM} options={options} onToggle={toggle} />
    </>
  );
}

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

/** Packages of the selected trims. On a timeout or open circuit breaker the response has a message (A8-ERR-04, AMB-168). */
function usePackages(): Packages & { readonly retry: () => void } {
  const { call } = useSlotEnvironment();
  const makeCode = useDeferredSelectedValues('makeCode').join(',');
  const modelCode = useDeferredSelectedValues('modelCode').join(',');
  const trimCode = useDeferredSelectedValues('trimCode').join(',');
  const [attempt, setAttempt] = useState(0);
  const key = JSON.stringify([makeCode, modelCode, trimCode, attempt]);
  const [loaded, setLoaded] = useState<{ readonly key: string; readonly packages: Packages }>();
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
    ...(loaded?.key === key ? loaded.packages : LOADING),
    retry: () => setAttempt((count) => count + 1),
  };
}
