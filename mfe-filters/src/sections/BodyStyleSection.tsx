import { memo, useCallback, type ReactNode } from 'react';
import { toggleValue } from '../search/criteriaChanges.ts';
import { formatNumber } from '@forecourt/search/format';
import type { PanelOption, PanelSection } from './panelSections.ts';
import { useEdit } from '../search/searchEdits.tsx';
import { useChoice } from './OptionRow.tsx';
import styles from './BodyStyleSection.later.module.css';
import { useSectionOptions } from './useSectionOptions.ts';
import { BodyStyleSilhouette } from './BodyStyleSilhouette.tsx';

const PARAM = 'vehicleStyleCode';

/** Vans and SUVs for trades: next to 'SUV / Crossover', 'SUV' alone would read as its twin. */
const COMMERCIAL_LABELS: Readonly<Record<string, string>> = { VANS: 'Commercial Van', SUV: 'Commercial SUV' };

const Tile = memo(function Tile(props: {
  option: PanelOption;
  onToggle: (value: string) => void;
}): ReactNode {
  const { option, onToggle } = props;
  const { value, label, count } = option;
  const { isChosen, isDisabled, input } = useChoice(PARAM, option);
  return (
    <label className={styles['tile']} data-disabled={isDisabled || undefined}>
      <input
        className={styles['input']}
        type="checkbox"
        name={PARAM}
        value={value}
        checked={isChosen}
        disabled={isDisabled}
        onChange={() => onToggle(value)}
        {...input}
      />
      <BodyStyleSilhouette code={value} />
      <span className={styles['label']}>{COMMERCIAL_LABELS[value] ?? label}</span>
      {/* The key replaces a number that a translator changed. */}
      {count !== undefined && (
        <span key={count} className={styles['count']}>
          {formatNumber(count)}
        </span>
      )}
    </label>
  );
});

/** Body styles as tiles with a silhouette. */
export function BodyStyleSection({ panel }: { panel: PanelSection }): ReactNode {
  const edit = useEdit();
  const options = useSectionOptions(panel);
  const toggle = useCallback(
    (value: string) => edit((current) => toggleValue(current, PARAM, value), `filter:${PARAM}`),
    [edit],
  );
  return (
    <div className={styles['tiles']}>
      {options.map((option) => (
        <Tile key={option.value} option={option} onToggle={toggle} />
      ))}
    </div>
  );
}
