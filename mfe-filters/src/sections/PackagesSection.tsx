import { useMemo, type ReactNode } from 'react';
import { toggleValue } from '../search/criteriaChanges.ts';
import { Button, Skeleton } from '@forecourt/slots/ui';
import { useFilter, usePanelData } from '../search/panelData.tsx';
import { panelOptions, type PanelSection } from './panelSections.ts';
import { useDeferredSelectedValues } from '../search/searchEdits.tsx';
import { OptionList } from './OptionList.tsx';
import type { ChangeTo } from './OptionRow.tsx';
import styles from './PackagesSection.later.module.css';
import { useEverSelected } from './useSectionOptions.ts';
import { usePackages } from './usePackages.ts';

const PARAM = 'packages';
const toggle: ChangeTo = (value) => (current) => toggleValue(current, PARAM, value);

/**
 * Packages of the selected trim. The names come from a separate call, made when the section opens; the search response
 * adds the counts.
 */
export function PackagesSection({ panel }: { panel: PanelSection }): ReactNode {
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
      <OptionList label={panel.label} param={PARAM} options={options} changeTo={toggle} />
    </>
  );
}
