import type { ReactNode } from 'react';
import { toggleValue } from '@forecourt/shared-contracts/search';
import { formatNumber } from '@forecourt/shared-contracts/ui';
import type { PanelSection } from '../panel/sectionRules.ts';
import { useSearchEdits } from '../search/searchEdits.tsx';
import { BodyStyleSilhouette } from './BodyStyleSilhouette.tsx';
import { useSectionOptions } from './ChoiceSection.tsx';
import styles from './BodyStyleSection.module.css';

const PARAM = 'vehicleStyleCode';

/** Body styles as silhouettes with their names. */
export function BodyStyleSection({ panel }: { panel: PanelSection }): ReactNode {
  const { edit } = useSearchEdits();
  const options = useSectionOptions(panel);
  return (
    <div className={styles['tiles']}>
      {options.map(({ value, label, count, isChosen, isDisabled }) => (
        <label key={value} className={styles['tile']} data-disabled={isDisabled || undefined}>
          <input
            className={styles['input']}
            type="checkbox"
            name={PARAM}
            value={value}
            checked={isChosen}
            disabled={isDisabled}
            onChange={() => edit((newest) => toggleValue(newest, PARAM, value), `filter:${PARAM}`)}
          />
          <BodyStyleSilhouette code={value} />
          <span className={styles['label']}>{label}</span>
          {count !== undefined && <span className={styles['count']}>{formatNumber(count)}</span>}
        </label>
      ))}
    </div>
  );
}
