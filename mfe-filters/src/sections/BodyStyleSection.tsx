import { memo, useCallback, type ReactNode } from 'react';
import { formatNumber } from '@forecourt/shared-contracts/ui';
import type { PanelOption } from '../panel/panelOptions.ts';
import type { PanelSection } from '../panel/sectionRules.ts';
import { useEdit } from '../search/searchEdits.tsx';
import { BodyStyleSilhouette } from './BodyStyleSilhouette.tsx';
import { useSectionOptions } from './ChoiceSection.tsx';
import { useChoice } from './useChoice.ts';
import styles from './BodyStyleSection.later.module.css';
import { toggleValue } from '../search/changes.ts';

const PARAM = 'vehicleStyleCode';

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
      <span className={styles['label']}>{label}</span>
      {count !== undefined && <span className={styles['count']}>{formatNumber(count)}</span>}
    </label>
  );
});

/** Body styles as silhouettes with their names. */
export function BodyStyleSection({ panel }: { panel: PanelSection }): ReactNode {
  const edit = useEdit();
  const options = useSectionOptions(panel);
  const toggle = useCallback(
    (value: string) => edit((newest) => toggleValue(newest, PARAM, value), `filter:${PARAM}`),
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
