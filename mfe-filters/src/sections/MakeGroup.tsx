import { useCallback, useEffect, useMemo, useRef, type ReactNode } from 'react';
import { BRANDS } from '@forecourt/shared-contracts/brands';
import { filterSection } from '@forecourt/shared-contracts/catalog';
import { setValues, toggleValue } from '../search/criteriaChanges.ts';
import { valuesOf, type SlugReference } from '@forecourt/shared-contracts/criteria';
import { selectIsLoading, usePageState } from '@forecourt/shared-contracts/store';
import { Button, formatNumber, Skeleton } from '@forecourt/shared-contracts/ui';
import { usePanelData } from '../search/panelData.tsx';
import { panelOptions, type PanelOption } from './panelOptions.ts';
import { sectionLabel } from './panelSections.ts';
import { useEdit, useLaterChosen } from '../search/searchEdits.tsx';
import { OptionList } from './OptionList.tsx';
import styles from './VehicleSection.later.module.css';
import fieldStyles from './fields.later.module.css';

interface MakeGroupProps {
  readonly index: number;
  readonly make: string | undefined;
  readonly isRemovable: boolean;
  readonly onPick: (make: string | undefined) => void;
  readonly onRemove: () => void;
}

type VehicleParam = 'makeCode' | 'modelCode' | 'trimCode';

function useVehicleOptions(param: VehicleParam) {
  const { filters, labelOf } = usePanelData();
  const chosen = useLaterChosen(param);
  return useMemo(() => {
    const section = filterSection(param);
    const filter = filters.find(({ name }) => name === param);
    return section ? panelOptions(section, param, filter, chosen, labelOf) : [];
  }, [param, filters, chosen, labelOf]);
}

/** Adds a value or takes it away; in single-MMT mode it replaces the one that is chosen (AMB-082). */
function useToggle(param: VehicleParam) {
  const edit = useEdit();
  const { reference } = usePanelData();
  const isSingle = usePageState(({ session }) => BRANDS[session.brand].hasSingleMakeGroup);
  return useCallback(
    (value: string) =>
      edit((newest) => {
        if (!isSingle) return toggleValue(newest, param, value, reference);
        return setValues(newest, param, valuesOf(newest, param).includes(value) ? [] : [value], reference);
      }, `filter:${param}`),
    [edit, param, reference, isSingle],
  );
}

/** One make, its models and their trims; models wait for a make (A5-RULE-11, AMB-080). */
export function MakeGroup({ index, make, isRemovable, onPick, onRemove }: MakeGroupProps): ReactNode {
  const { labelOf, reference } = usePanelData();
  const isLoading = usePageState(selectIsLoading);
  const select = useRef<HTMLSelectElement>(null);
  const makes = useVehicleOptions('makeCode');
  const allModels = useVehicleOptions('modelCode');
  const allTrims = useVehicleOptions('trimCode');
  const models = useMemo(() => {
    const owner = make === undefined ? undefined : { code: make, name: labelOf('makeCode', make) };
    return modelsOfMake(allModels, owner, index, reference);
  }, [allModels, make, labelOf, index, reference]);
  const chosenModels = useLaterChosen('modelCode');
  const trims = useMemo(
    () => trimsOfModels(allTrims, models, chosenModels),
    [allTrims, models, chosenModels],
  );
  const chosenMakes = useLaterChosen('makeCode');
  const toggleModel = useToggle('modelCode');
  const toggleTrim = useToggle('trimCode');
  const modelName = useCallback((model: string) => labelOf('modelCode', model), [labelOf]);
  // The list of all makes is the longest of the panel.
  const makeChoices = useMemo(
    () =>
      makes.map((option) => (
        <option
          key={option.value}
          value={option.value}
          disabled={option.value !== make && (chosenMakes.includes(option.value) || option.isOff)}
        >
          {option.count === undefined ? option.label : `${option.label} (${formatNumber(option.count)})`}
        </option>
      )),
    [makes, make, chosenMakes],
  );
  const isAdded = make === undefined && index > 0;
  // Only a group that the shopper has just added takes the focus.
  useEffect(() => {
    if (isAdded) select.current?.focus();
  }, [isAdded]);
  const name = make === undefined ? `Make ${index + 1}` : labelOf('makeCode', make);
  return (
    <div role="group" aria-label={name} className={styles['group']}>
      <div className={styles['makeRow']}>
        <label className={fieldStyles['field']}>
          <span className={fieldStyles['fieldLabel']}>{sectionLabel('makeCode')}</span>
          <select
            ref={select}
            className={fieldStyles['input']}
            name="makeCode"
            value={make ?? ''}
            onChange={(event) => onPick(event.currentTarget.value || undefined)}
          >
            <option value="">Any Make</option>
            {makeChoices}
          </select>
        </label>
        {isRemovable && (
          <Button look="quiet" className={styles['remove']} aria-label={`Remove ${name}`} onClick={onRemove}>
            Remove
          </Button>
        )}
      </div>
      {make === undefined ? (
        <label className={fieldStyles['field']}>
          <span className={fieldStyles['fieldLabel']}>{sectionLabel('modelCode')}</span>
          <select className={fieldStyles['input']} disabled>
            <option>Choose a make first</option>
          </select>
        </label>
      ) : (
        <fieldset key={make}>
          <legend className={fieldStyles['fieldLabel']}>{sectionLabel('modelCode')}</legend>
          {models.length === 0 && isLoading && <Skeleton height="132px" />}
          <OptionList
            label={`${name} ${sectionLabel('modelCode')}`}
            param="modelCode"
            options={models}
            onToggle={toggleModel}
          />
        </fieldset>
      )}
      {trims.length > 0 && (
        <fieldset>
          <legend className={fieldStyles['fieldLabel']}>{sectionLabel('trimCode')}</legend>
          <OptionList
            label={`${name} ${sectionLabel('trimCode')}`}
            param="trimCode"
            options={trims}
            onToggle={toggleTrim}
            headingOf={modelName}
          />
        </fieldset>
      )}
    </div>
  );
}

/** Of options with one code the make's own: 'Continental' is a Bentley and a Lincoln, and each has its count. */
const isOwnOption = (option: PanelOption, makeName: string, options: readonly PanelOption[]): boolean =>
  option.group === makeName ||
  !options.some(({ value, group }) => value === option.value && group === makeName);

/** A make's models; one whose make nobody names belongs to the first group (AMB-080). */
export function modelsOfMake(
  models: readonly PanelOption[],
  make: { readonly code: string; readonly name: string } | undefined,
  groupIndex: number,
  { makesOfModel }: Pick<SlugReference, 'makesOfModel'>,
): readonly PanelOption[] {
  if (make === undefined) return [];
  return models.filter((model) => {
    const owners = makesOfModel(model.value);
    const isOfMake = owners.length === 0 ? groupIndex === 0 : owners.includes(make.code);
    return isOfMake && isOwnOption(model, make.name, models);
  });
}

/** 'F150|XLT' → 'F150'. */
const modelOf = (trimCode: string) => trimCode.split('|')[0] ?? '';

/** Trims of the chosen models, grouped by their model's code. */
export function trimsOfModels(
  trims: readonly PanelOption[],
  models: readonly PanelOption[],
  chosenModels: readonly string[],
): readonly PanelOption[] {
  const chosen = new Set(models.map(({ value }) => value).filter((value) => chosenModels.includes(value)));
  return trims
    .filter(({ value }) => chosen.has(modelOf(value)))
    .map((trim) => ({ ...trim, group: modelOf(trim.value) }));
}
