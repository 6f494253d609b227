import { useCallback, useEffect, useMemo, useRef, type ReactNode } from 'react';
import { BRANDS } from '@forecourt/search/brands';
import { filterSection } from '@forecourt/search/catalog';
import { valuesOf, type SlugReference } from '@forecourt/search/criteria';
import { formatNumber } from '@forecourt/search/format';
import { selectIsLoading } from '@forecourt/search/state';
import { usePageState } from '@forecourt/slots';
import { Button, Skeleton } from '@forecourt/slots/ui';
import { setValues, toggleValue } from '../search/criteriaChanges.ts';
import { usePanelData } from '../search/panelData.tsx';
import { panelOptions, type PanelOption, sectionLabel } from './panelSections.ts';
import { useDeferredSelectedValues } from '../search/searchEdits.tsx';
import { OptionList } from './OptionList.tsx';
import type { ChangeTo } from './OptionRow.tsx';
import styles from './MakeGroup.module.css';
import { Field, inputClass } from './Field.tsx';

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
  const selected = useDeferredSelectedValues(param);
  return useMemo(() => {
    const section = filterSection(param);
    const filter = filters.find(({ name }) => name === param);
    return section ? panelOptions(section, param, filter, selected, labelOf) : [];
  }, [param, filters, selected, labelOf]);
}

/** Toggles a value; in single-MMT mode a new value replaces the selected one. */
function useToggle(param: VehicleParam): ChangeTo {
  const { reference } = usePanelData();
  const isSingle = usePageState(({ session }) => BRANDS[session.brand].hasSingleMakeGroup);
  return useCallback(
    (value) => (current) => {
      if (!isSingle) return toggleValue(current, param, value, reference);
      return setValues(current, param, valuesOf(current, param).includes(value) ? [] : [value], reference);
    },
    [param, reference, isSingle],
  );
}

/** The make's own models, and the trims of those that are selected. */
function useModelsAndTrims(make: string | undefined, index: number) {
  const { labelOf, reference } = usePanelData();
  const allModels = useVehicleOptions('modelCode');
  const allTrims = useVehicleOptions('trimCode');
  const selectedModels = useDeferredSelectedValues('modelCode');
  const models = useMemo(() => {
    const owner = make === undefined ? undefined : { code: make, name: labelOf('makeCode', make) };
    return modelsOfMake(allModels, owner, index, reference);
  }, [allModels, make, labelOf, index, reference]);
  const trims = useMemo(
    () => trimsOfModels(allTrims, models, selectedModels),
    [allTrims, models, selectedModels],
  );
  return { models, trims };
}

function MakeSelect(props: Pick<MakeGroupProps, 'make' | 'index' | 'onPick'>): ReactNode {
  const { make, index, onPick } = props;
  const select = useRef<HTMLSelectElement>(null);
  const makes = useVehicleOptions('makeCode');
  const selectedMakes = useDeferredSelectedValues('makeCode');
  // Memoized: this is the longest list of the panel.
  const choices = useMemo(
    () =>
      makes.map((option) => (
        <option
          key={option.value}
          value={option.value}
          disabled={option.value !== make && (selectedMakes.includes(option.value) || option.isUnavailable)}
        >
          {option.count === undefined ? option.label : `${option.label} (${formatNumber(option.count)})`}
        </option>
      )),
    [makes, make, selectedMakes],
  );
  const isAdded = make === undefined && index > 0;
  // Focus a group only when the shopper has just added it.
  useEffect(() => {
    if (isAdded) select.current?.focus();
  }, [isAdded]);
  return (
    <Field label={sectionLabel('makeCode')}>
      <select
        ref={select}
        className={inputClass}
        name="makeCode"
        value={make ?? ''}
        onChange={(event) => onPick(event.currentTarget.value || undefined)}
      >
        <option value="">Any Make</option>
        {choices}
      </select>
    </Field>
  );
}

function ModelList({ name, models }: { name: string; models: readonly PanelOption[] }): ReactNode {
  const isLoading = usePageState(selectIsLoading);
  const toggle = useToggle('modelCode');
  const label = sectionLabel('modelCode');
  return (
    <fieldset>
      <legend className={styles['legend']}>{label}</legend>
      {models.length === 0 && isLoading && <Skeleton height="132px" />}
      <OptionList label={`${name} ${label}`} param="modelCode" options={models} changeTo={toggle} />
    </fieldset>
  );
}

function TrimList({ name, trims }: { name: string; trims: readonly PanelOption[] }): ReactNode {
  const { labelOf } = usePanelData();
  const toggle = useToggle('trimCode');
  const modelName = useCallback((model: string) => labelOf('modelCode', model), [labelOf]);
  const label = sectionLabel('trimCode');
  return (
    <fieldset>
      <legend className={styles['legend']}>{label}</legend>
      <OptionList
        label={`${name} ${label}`}
        param="trimCode"
        options={trims}
        changeTo={toggle}
        headingOf={modelName}
      />
    </fieldset>
  );
}

/** One make, its models and their trims; models need a make first. */
export function MakeGroup({ index, make, isRemovable, onPick, onRemove }: MakeGroupProps): ReactNode {
  const { labelOf } = usePanelData();
  const { models, trims } = useModelsAndTrims(make, index);
  const name = make === undefined ? `Make ${index + 1}` : labelOf('makeCode', make);
  return (
    <div role="group" aria-label={name} className={styles['group']}>
      <div className={styles['makeRow']}>
        <MakeSelect make={make} index={index} onPick={onPick} />
        {isRemovable && (
          <Button look="quiet" className={styles['remove']} aria-label={`Remove ${name}`} onClick={onRemove}>
            Remove
          </Button>
        )}
      </div>
      {make === undefined ? (
        <Field label={sectionLabel('modelCode')}>
          <select className={inputClass} disabled>
            <option>Choose a make first</option>
          </select>
        </Field>
      ) : (
        <ModelList key={make} name={name} models={models} />
      )}
      {trims.length > 0 && <TrimList name={name} trims={trims} />}
    </div>
  );
}

/** Several makes may share a model code (Bentley and Lincoln Continental): true for the given make's own option. */
const isOwnOption = (option: PanelOption, makeName: string, options: readonly PanelOption[]): boolean =>
  option.group === makeName ||
  !options.some(({ value, group }) => value === option.value && group === makeName);

/** A make's models. Models of unknown makes belong to the first group. */
function modelsOfMake(
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

/** 'F150|XLT' → 'F150' */
const modelOf = (trimCode: string) => trimCode.split('|')[0] ?? '';

/** Trims of the selected models, grouped by model code. */
function trimsOfModels(
  trims: readonly PanelOption[],
  models: readonly PanelOption[],
  selectedModels: readonly string[],
): readonly PanelOption[] {
  const selected = new Set(
    models.map(({ value }) => value).filter((value) => selectedModels.includes(value)),
  );
  return trims
    .filter(({ value }) => selected.has(modelOf(value)))
    .map((trim) => ({ ...trim, group: modelOf(trim.value) }));
}
