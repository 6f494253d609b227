import { useCallback, useMemo, type ReactNode } from 'react';
import { Button, Skeleton } from '@forecourt/shared-contracts/ui';
import { useFilter, usePanelData } from '../panel/panelData.tsx';
import { panelOptions } from '../panel/panelOptions.ts';
import type { PanelSection } from '../panel/sectionRules.ts';
import { useEdit, useLaterChosen } from '../search/searchEdits.tsx';
import { useOnceChosen } from './ChoiceSection.tsx';
import { OptionList } from './OptionList.tsx';
import { usePackages } from './usePackages.ts';
import styles from './fields.later.module.css';
import { toggleValue } from '../search/changes.ts';

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
