import { memo, type PointerEvent, type ReactNode, type Ref } from 'react';
import type { FilterParam } from '@forecourt/search/criteria';
import { formatNumber } from '@forecourt/search/format';
import { Icon } from '@forecourt/slots/ui';
import type { PanelOption } from './panelSections.ts';
import styles from './OptionRow.module.css';
import infoStyles from './OptionRow.later.module.css';
import type { Change } from '../search/editStore.ts';
import { useEdit, useExpectEdit, useIsSelected } from '../search/searchEdits.tsx';
import { useDisabledUnlessFocused } from '../search/useDisabledUnlessFocused.ts';

interface RowProps {
  readonly type: 'checkbox' | 'radio';
  readonly name: string;
  readonly option: Pick<PanelOption, 'value' | 'label' | 'count' | 'moreInfo'>;
  readonly isChosen: boolean;
  readonly isDisabled: boolean;
  readonly input: { readonly ref: Ref<HTMLInputElement>; readonly onBlur: () => void };
  /** Shown between the input and the label, e.g. a color swatch. */
  readonly picture?: ReactNode;
  readonly onChoose: () => void;
  readonly onPress?: (event: PointerEvent) => void;
}

/** An option with its count and an optional description that expands below it. */
function Row(props: RowProps): ReactNode {
  const { type, name, option, isChosen, isDisabled, input, picture, onChoose, onPress } = props;
  const { value, label, count, moreInfo } = option;
  const row = (
    <label className={styles['row']} data-disabled={isDisabled || undefined} onPointerDown={onPress}>
      <input
        type={type}
        name={name}
        value={value}
        checked={isChosen}
        disabled={isDisabled}
        onChange={onChoose}
        {...input}
      />
      {picture}
      {label}
      {/* The key replaces a number that a translator changed. */}
      {count !== undefined && <span key={count}>{formatNumber(count)}</span>}
    </label>
  );
  if (moreInfo === undefined) return row;
  return (
    <div className={infoStyles['withInfo']}>
      {row}
      <details className={infoStyles['info']}>
        <summary className={infoStyles['infoButton']} aria-label={`About ${label}`}>
          <Icon name="info" size={18} />
        </summary>
        <p className={infoStyles['infoText']}>{moreInfo}</p>
      </details>
    </div>
  );
}

/** What choosing a value does. */
export type ChangeTo = (value: string) => Change;

interface ChoiceRowProps {
  readonly type: 'checkbox' | 'radio';
  readonly param: FilterParam;
  readonly option: PanelOption;
  readonly picture?: ReactNode;
  readonly changeTo: ChangeTo;
}

/** An option for one value of a parameter. It subscribes to its own value, so a click re-renders only this row. */
export const ChoiceRow = memo(function ChoiceRow(props: ChoiceRowProps): ReactNode {
  const { type, param, option, picture, changeTo } = props;
  const choice = useChoice(param, option);
  const edit = useEdit();
  const expectEdit = useExpectEdit();
  // A finger that scrolls presses, too.
  const press = ({ button, pointerType }: PointerEvent) => {
    if (button === 0 && pointerType === 'mouse' && !choice.isDisabled) expectEdit(changeTo(option.value));
  };
  return (
    <Row
      type={type}
      name={param}
      option={option}
      picture={picture}
      onChoose={() => edit(changeTo(option.value), `filter:${param}`)}
      onPress={press}
      {...choice}
    />
  );
});

/** An option that doesn't stand for exactly one value, e.g. 'Any'. */
export function PlainRow({
  isUnavailable = false,
  ...props
}: Omit<RowProps, 'isDisabled' | 'input'> & { isUnavailable?: boolean }) {
  return <Row {...props} {...useDisabledUnlessFocused(isUnavailable && !props.isChosen)} />;
}

/** State of an option's input. A selected option is never disabled. */
export function useChoice(
  param: FilterParam,
  { value, isUnavailable }: Pick<PanelOption, 'value' | 'isUnavailable'>,
) {
  const isChosen = useIsSelected(param, value);
  return { isChosen, ...useDisabledUnlessFocused(isUnavailable && !isChosen) };
}
