import type { SlugReference } from '@forecourt/shared-contracts/criteria';
import type { PanelOption } from '../panel/panelOptions.ts';

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
