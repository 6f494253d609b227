import { FILTERS, type FilterName, type FilterSection } from '@forecourt/shared-contracts/catalog';
import { type FilterParam } from '@forecourt/shared-contracts/criteria';

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

/** Most used sections first; the rest follows the catalog's order. */
const LEADING_SECTIONS: readonly FilterName[] = [
  'location',
  'listingType',
  'makeCode',
  'priceRange',
  'monthlyPayment',
  'yearRange',
  'mileage',
  'vehicleStyleCode',
  'dealType',
  'fuelTypeGroup',
  'driveGroup',
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

/** All catalog sections in the panel's order. */
export const PANEL_SECTIONS: readonly PanelSection[] = [
  ...LEADING_SECTIONS.flatMap(catalogSections),
  ...FILTERS.filter(({ name }) => !LEADING_SECTIONS.includes(name) && !MERGED.has(name)),
].map(panelSection);
