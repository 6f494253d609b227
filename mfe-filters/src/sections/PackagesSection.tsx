import { useCallback, useMemo, type ReactNode, useEffect, useState } from 'react';
import { toggleValue } from '../search/criteriaChanges.ts';
import { Button, Skeleton } from '@forecourt/shared-contracts/ui';
import { useFilter, usePanelData } from '../search/panelData.tsx';
import { panelOptions } from './panelOptions.ts';
import { useEdit, useLaterChosen } from '../search/searchEdits.tsx';
import { useOnceChosen } from './ChoiceSection.tsx';
import { OptionList } from './OptionList.tsx';
import styles from './fields.later.module.css';
import type { PackageName } from '../callTypes.ts';
import { useSlotEnvironment } from '@forecourt/shared-contracts/slots';
import { type PanelSection } from './panelSections.ts';

const PARAM = 'packages';

/**
 * Packages of the chosen trim: their names come by a call of their own, made
 * when the section is open; the answer of the search adds its counts
 * (A7-PACK-01, A7-PACK-02, A8-ERR-04).
 */
export function PackagesSection({ panel }: { panel: PanelSection }): ReactNode {
  const edit = useEdit();
  const { labelOf } = usePanelData();
  const filter = useFilter(PARAM);
  const { status, packages, error, retry } = usePackages();
  const listed = useOnceChosen(useLaterChosen(PARAM));
  const options = useMemo(() => {
    const counted = new Map(filter?.options.map((option) => [option.value, option]));
    const named = packages.map(({ name, code }) => ({
      selected: false,
      disabled: false,
      ...counted.get(code),
      value: code,
      label: name,
    }));
    const answer =
      packages.length === 0
        ? filter
        : { name: PARAM, label: panel.label, collapsed: true, value: '', options: named };
    return panelOptions(panel.section, PARAM, answer, listed, labelOf);
  }, [filter, packages, panel, listed, labelOf]);
  const toggle = useCallback(
    (value: string) => edit((newest) => toggleValue(newest, PARAM, value), `filter:${PARAM}`),
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
