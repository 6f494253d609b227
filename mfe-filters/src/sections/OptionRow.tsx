import { memo, type ReactNode } from 'react';
import { formatNumber, Icon } from '@forecourt/shared-contracts/ui';
import styles from './OptionRow.module.css';

interface OptionRowProps {
  readonly type: 'checkbox' | 'radio';
  readonly name: string;
  readonly value: string;
  readonly label: string;
  readonly count?: number | undefined;
  readonly isChosen: boolean;
  readonly isDisabled: boolean;
  readonly moreInfo?: string | undefined;
  /** Drawn between box and label, e.g. a colour. */
  readonly picture?: ReactNode;
  /** Is told the row's value. */
  readonly onChoose: (value: string) => void;
}

/** One choice with its count; further information opens below it (B3-OPTION-01). A click repaints none but the changed ones. */
export const OptionRow = memo(function OptionRow(props: OptionRowProps): ReactNode {
  const { type, name, value, label, count, isChosen, isDisabled, moreInfo, picture, onChoose } = props;
  const row = (
    <label className={styles['row']} data-disabled={isDisabled || undefined}>
      <input
        className={styles['input']}
        type={type}
        name={name}
        value={value}
        checked={isChosen}
        disabled={isDisabled}
        onChange={() => onChoose(value)}
      />
      {picture}
      <span className={styles['label']}>{label}</span>
      {count !== undefined && <span className={styles['count']}>{formatNumber(count)}</span>}
    </label>
  );
  if (moreInfo === undefined) return row;
  return (
    <div className={styles['withInfo']}>
      {row}
      <details className={styles['info']}>
        <summary className={styles['infoButton']} aria-label={`About ${label}`}>
          <Icon name="info" size={18} />
        </summary>
        <p className={styles['infoText']}>{moreInfo}</p>
      </details>
    </div>
  );
});
