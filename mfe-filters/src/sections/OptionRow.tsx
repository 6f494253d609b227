import { memo, type ReactNode, type Ref, useLayoutEffect, useRef, useState } from 'react';
import type { FilterParam } from '@forecourt/shared-contracts/criteria';
import { formatNumber, Icon } from '@forecourt/shared-contracts/ui';
import type { PanelOption } from './panelOptions.ts';
import styles from './OptionRow.later.module.css';
import { useOff } from '../search/focus.tsx';
import { useIsChosen } from '../search/searchEdits.tsx';

interface RowProps {
  readonly type: 'checkbox' | 'radio';
  readonly name: string;
  readonly option: Pick<PanelOption, 'value' | 'label' | 'count' | 'moreInfo'>;
  readonly isChosen: boolean;
  readonly isDisabled: boolean;
  readonly input: { readonly ref: Ref<HTMLInputElement>; readonly onBlur: () => void };
  /** Drawn between box and label, e.g. a colour. */
  readonly picture?: ReactNode;
  readonly onChoose: () => void;
}

/** One choice with its count; further information opens below it (B3-OPTION-01). */
function Row({ type, name, option, isChosen, isDisabled, input, picture, onChoose }: RowProps): ReactNode {
  const { value, label, count, moreInfo } = option;
  const row = (
    <label className={styles['row']} data-disabled={isDisabled || undefined}>
      <input
        className={styles['input']}
        type={type}
        name={name}
        value={value}
        checked={isChosen}
        disabled={isDisabled}
        onChange={onChoose}
        {...input}
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
}

interface ChoiceRowProps {
  readonly type: 'checkbox' | 'radio';
  readonly param: FilterParam;
  readonly option: PanelOption;
  readonly picture?: ReactNode;
  /** Is told the row's value. */
  readonly onChoose: (value: string) => void;
}

/** A value of a parameter. It follows the criteria by itself, so that a click repaints this row alone. */
export const ChoiceRow = memo(function ChoiceRow(props: ChoiceRowProps): ReactNode {
  const { type, param, option, picture, onChoose } = props;
  const choice = useChoice(param, option);
  return (
    <Row
      type={type}
      name={param}
      option={option}
      picture={picture}
      onChoose={() => onChoose(option.value)}
      {...choice}
    />
  );
});

/** A choice that is more or less than one value of a parameter. */
export function PlainRow({
  isOff = false,
  ...props
}: Omit<RowProps, 'isDisabled' | 'input'> & { isOff?: boolean }) {
  return <Row {...props} {...useOff(isOff && !props.isChosen)} />;
}

/** One value of a parameter as a control. What is chosen can always be taken out. */
export function useChoice(param: FilterParam, { value, isOff }: Pick<PanelOption, 'value' | 'isOff'>) {
  const isChosen = useIsChosen(param, value);
  return { isChosen, ...useOff(isOff && !isChosen) };
}
