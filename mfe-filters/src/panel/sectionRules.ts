import { type FilterName, type LabelOf, placeText, priceText, yearText } from '@forecourt/search/catalog';
import { type FilterParam, type SearchCriteria, valuesOf } from '@forecourt/search/criteria';
import type { Filter } from '@forecourt/upstream/entities';
import type { PanelSection } from '../sections/panelSections.ts';
import { radiusLabel } from '../sections/place.ts';

/** Sections that are open although nothing is selected in them. */
const OPEN_BY_DEFAULT: ReadonlySet<FilterName> = new Set<FilterName>([
  'location',
  'listingType',
  'makeCode',
  'priceRange',
]);

export const isOpenByDefault = ({ name, params }: PanelSection, { openSection }: SearchCriteria): boolean =>
  OPEN_BY_DEFAULT.has(name) ||
  openSection === 'all' ||
  (openSection !== undefined && params.includes(openSection));

/** Sections that only matter for some vehicles: hidden unless an option has results. */
const ONLY_WITH_RESULTS: ReadonlySet<FilterName> = new Set<FilterName>([
  'seriesCode',
  'truckBedLength',
  'bodyStyleSubtypeCode',
  'suvSubtypeCode',
  'vanSubtypeCode',
  'sedanSubtypeCode',
]);

/** Sections that need no options from the response. */
const SELF_CONTAINED: ReadonlySet<FilterName> = new Set<FilterName>([
  'location',
  'yearRange',
  'priceRange',
  'vehicleUseType',
]);

/** 'off' is stored as a value but selects nothing. */
const selectedValues = (criteria: SearchCriteria, param: FilterParam) =>
  valuesOf(criteria, param).filter((value) => !(param === 'marketExtension' && value === 'off'));

/** True if the section has a selected value. */
export const hasValue = (criteria: SearchCriteria, { params }: Pick<PanelSection, 'params'>): boolean =>
  params.some((param) => selectedValues(criteria, param).length > 0);

const isUnspecified = (option: { readonly value: string; readonly label: string }) =>
  /^unspecified$/i.test(option.value) || /^unspecified$/i.test(option.label);

const isUnavailable = (option: { readonly disabled: boolean; readonly count?: number | undefined }) =>
  option.disabled || option.count === 0;

/** Packages belong to a single make, model and trim. */
const hasOneTrim = (criteria: SearchCriteria) =>
  (['makeCode', 'modelCode', 'trimCode'] as const).every((param) => valuesOf(criteria, param).length === 1);

/**
 * Hides a section without options, unless it has a selected value or there is no response yet. Hides the
 * electric range when only 'Unspecified' is left.
 */
export function isHidden(panel: PanelSection, filters: readonly Filter[], criteria: SearchCriteria): boolean {
  if (panel.name === 'packages') return !hasValue(criteria, panel) && !hasOneTrim(criteria);
  if (SELF_CONTAINED.has(panel.name) || filters.length === 0 || hasValue(criteria, panel)) return false;
  const options = filters.find(({ name }) => name === panel.name)?.options ?? [];
  if (options.length === 0) return true;
  if (panel.name === 'electricMileRange')
    return options.every((option) => isUnspecified(option) || isUnavailable(option));
  return ONLY_WITH_RESULTS.has(panel.name) && options.every(isUnavailable);
}

/** Disables fuel economy without available options, or with only electric selected. */
export function isDisabled(
  panel: PanelSection,
  filter: Filter | undefined,
  criteria: SearchCriteria,
): boolean {
  if (panel.name !== 'mpgRange') return false;
  const fuels = valuesOf(criteria, 'fuelTypeGroup');
  const isOnlyElectric = fuels.length === 1 && fuels[0] === 'ELE';
  const options = filter?.options ?? [];
  return isOnlyElectric || (options.length > 0 && options.every(isUnavailable));
}

function locationSummary(criteria: SearchCriteria): string | undefined {
  const place = placeText(criteria.filters);
  const radius = valuesOf(criteria, 'searchRadius')[0];
  return [place, radius && radiusLabel(radius)].filter(Boolean).join(' · ') || undefined;
}

/** The selected values as text for the section's header; undefined when there are none. */
export function selectedSummary(
  panel: PanelSection,
  criteria: SearchCriteria,
  labelOf: LabelOf,
): string | undefined {
  if (panel.name === 'location') return locationSummary(criteria);
  if (panel.name === 'priceRange') return priceText(criteria.filters);
  if (panel.name === 'yearRange') return yearText(criteria.filters);
  if (panel.section.kind === 'boolean') return hasValue(criteria, panel) ? 'Yes' : undefined;
  const labels = panel.params.flatMap((param) =>
    selectedValues(criteria, param).map((value) => labelOf(param, value)),
  );
  return labels.join(', ') || undefined;
}

/** Sections that have content before the response has options for them. */
export const NEEDS_NO_OPTIONS: ReadonlySet<string> = new Set([
  'location',
  'priceRange',
  'yearRange',
  'packages',
]);
