import { FILTERS, type FilterName, type FilterSection, type LabelOf } from '@forecourt/search/catalog';
import type { FilterParam } from '@forecourt/search/criteria';
import { FUEL_GROUPS } from '@forecourt/upstream/codes';
import type { Filter } from '@forecourt/upstream/entities';

/** The catalog's label of a section. */
export const sectionLabel = (name: FilterName): string =>
  FILTERS.find((section) => section.name === name)?.label ?? name;
export interface PanelSection {
  /** Name of its first catalog section. */
  readonly name: FilterName;
  readonly label: string;
  readonly section: FilterSection;
  readonly params: readonly FilterParam[];
}

/** Catalog sections shown inside another one. */
const MERGED_SECTIONS: Partial<Record<FilterName, readonly FilterName[]>> = {
  location: ['zip', 'searchRadius', 'marketExtension'],
  makeCode: ['modelCode', 'trimCode'],
};
const MERGED = new Set(Object.values(MERGED_SECTIONS).flat());

/** Sections by use, the most used first; a section in none is in the last group, in the catalog's order. */
const GROUPED_SECTIONS: readonly (readonly [heading: string | undefined, names: readonly FilterName[]])[] = [
  [undefined, ['location']],
  ['Price and payment', ['priceRange', 'monthlyPayment', 'dealType']],
  [
    'Vehicle',
    [
      ...(['makeCode', 'yearRange', 'vehicleStyleCode', 'seatCount', 'fuelTypeGroup', 'driveGroup'] as const),
      ...(['seriesCode', 'bodyStyleSubtypeCode', 'truckBedLength'] as const),
      ...(['suvSubtypeCode', 'vanSubtypeCode', 'sedanSubtypeCode'] as const),
    ],
  ],
  [
    'Condition and history',
    ['listingType', 'mileage', 'vehicleHistoryType', 'vehicleExchange', 'vehicleUseType'],
  ],
  ['Seller and services', ['sellerType', 'homeServices']],
  ['Features and details', ['featureCode', 'packages', 'extColorSimple', 'intColorSimple']],
];

const catalogSections = (name: FilterName) => FILTERS.filter((section) => section.name === name);

function panelSection(section: (typeof FILTERS)[number]): PanelSection {
  const parts = (MERGED_SECTIONS[section.name] ?? []).flatMap(catalogSections);
  const all = [section, ...parts];
  return {
    name: section.name,
    // 'Location' has its own label; 'Make, Model, Trim' joins those of its parts.
    label: section.name === 'location' ? section.label : all.map(({ label }) => label).join(', '),
    section,
    params: [...new Set(all.flatMap(({ params }) => params as readonly FilterParam[]))],
  };
}

/** Set on the map and removed by its chip. */
const NOT_IN_PANEL: readonly FilterName[] = ['area'];

/** Sections that shoppers look for together. */
export interface PanelGroup {
  /** None for the first one. */
  readonly heading: string | undefined;
  readonly sections: readonly PanelSection[];
}

const GROUPED = new Set(GROUPED_SECTIONS.flatMap(([, names]) => names));
const UNGROUPED = FILTERS.filter(
  ({ name }) => !GROUPED.has(name) && !MERGED.has(name) && !NOT_IN_PANEL.includes(name),
);

/** All catalog sections in the panel's order. */
export const PANEL_GROUPS: readonly PanelGroup[] = GROUPED_SECTIONS.map(([heading, names], at) => ({
  heading,
  sections: [...names.flatMap(catalogSections), ...(at === GROUPED_SECTIONS.length - 1 ? UNGROUPED : [])].map(
    panelSection,
  ),
}));

export const PANEL_SECTIONS: readonly PanelSection[] = PANEL_GROUPS.flatMap(({ sections }) => sections);

/** One option of a section. Whether it is selected comes from the criteria, see `useChoice`. */
export interface PanelOption {
  readonly label: string;
  readonly value: string;
  readonly count?: number;
  /** Without results: can't be selected, only deselected. */
  readonly isUnavailable: boolean;
  readonly moreInfo?: string;
  readonly group?: string;
}

type RawOption = Omit<Filter['options'][number], 'selected' | 'disabled'> & { readonly disabled?: boolean };

const FUEL_ORDER = Object.keys(FUEL_GROUPS);

/** Known fuels in the specified order, then unknown ones in the response's order. */
function inFuelOrder<Option extends { readonly value: string }>(
  options: readonly Option[],
): readonly Option[] {
  const rank = ({ value }: Option) => {
    const index = FUEL_ORDER.indexOf(value);
    return index < 0 ? FUEL_ORDER.length : index;
  };
  return [...options].sort((left, right) => rank(left) - rank(right));
}

/** The catalog's fixed options with the response's counts, or the response's own options. */
function rawOptions(section: FilterSection, filter: Filter | undefined): readonly RawOption[] {
  if (!section.options) return filter?.options ?? [];
  return section.options.map((catalogOption) => ({
    ...filter?.options.find(({ value }) => value === catalogOption.value),
    ...catalogOption,
  }));
}

/**
 * A section's options in the response's order. Selected values that the response doesn't list come last, so that they
 * can be deselected. Options without results keep their position.
 */
export function panelOptions(
  section: FilterSection,
  param: FilterParam,
  filter: Filter | undefined,
  selected: readonly string[],
  labelOf: LabelOf,
): readonly PanelOption[] {
  const raw = rawOptions(section, filter);
  const listedOptions = section.name === 'fuelTypeGroup' ? inFuelOrder(raw) : raw;
  const listedValues = new Set(listedOptions.map(({ value }) => value));
  const unlistedOptions = selected
    .filter((value) => !listedValues.has(value))
    .map((value): RawOption => ({ value, label: labelOf(param, value) }));
  return [...listedOptions, ...unlistedOptions].map(({ label, value, count, disabled, moreInfo, group }) => ({
    label,
    value,
    isUnavailable: disabled === true || count === 0,
    ...(count !== undefined && { count }),
    ...(moreInfo !== undefined && { moreInfo }),
    ...(group !== undefined && { group }),
  }));
}
