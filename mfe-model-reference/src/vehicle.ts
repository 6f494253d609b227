import { singleValue, type SearchCriteria } from '@forecourt/shared-contracts/criteria';
import type { Chip } from '@forecourt/shared-contracts/catalog';

/** The one make and model that the section is about. */
export interface ReferencedModel {
  readonly makeCode: string;
  readonly modelCode: string;
}

/** Make and model of a search for exactly one of each. */
export function referencedModel(criteria: Pick<SearchCriteria, 'filters'>): ReferencedModel | undefined {
  const makeCode = singleValue(criteria, 'makeCode');
  const modelCode = singleValue(criteria, 'modelCode');
  return makeCode && modelCode ? { makeCode, modelCode } : undefined;
}

/** 'Ford F-150' by the labels of the chips; a code stands in for a label that is not there. */
export function modelName({ makeCode, modelCode }: ReferencedModel, chips: readonly Chip[]): string {
  const labelOf = (param: 'makeCode' | 'modelCode', code: string) =>
    chips.find((chip) => chip.param === param && chip.values.includes(code))?.label ?? code;
  return `${labelOf('makeCode', makeCode)} ${labelOf('modelCode', modelCode)}`;
}
