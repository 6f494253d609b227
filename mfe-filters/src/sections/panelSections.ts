import { FILTERS, type FilterName, type FilterSection } from '@forecourt/shared-contracts/catalog';
import { type FilterParam } from '@forecourt/shared-contracts/criteria';

/** The catalogue's label of a section. */
export const sectionLabel = (name: FilterName): string =>
  FILTERS.find((section) => section.name === name)?.label ?? name;
export interface PanelSection {
  /** Name of the section that leads it. */
  readonly name: FilterName;
  readonly label: string;
  readonly section: FilterSection;
  readonly params: readonly FilterParam[];
}

/** Sections which others take in: one place, and one make with its models and trims. */
const PARTS: Partial<Record<FilterName, readonly FilterName[]>> = {
  location: ['zip', 'searchRadius', 'marketExtension'],
  makeCode: ['modelCode', 'trimCode'],
};
const TAKEN_IN = new Set(Object.values(PARTS).flat());

/** What most shoppers set first stands first; the rest follows the catalogue. */
const FIRST: readonly FilterName[] = [
  'location',
  'listingType',
  'makeCode',
  'priceRange',
  'yearRange',
  'mileage',
  'vehicleStyleCode',
  'dealType',
  'fuelTypeGroup',
  'driveGroup',
];

const catalogued = (name: FilterName) => FILTERS.filter((section) => section.name === name);

function panelSection(section: (typeof FILTERS)[number]): PanelSection {
  const parts = (PARTS[section.name] ?? []).flatMap(catalogued);
  const all = [section, ...parts];
  return {
    name: section.name,
    // The place has a name of its own; makes, models and trims are named together.
    label: section.name === 'location' ? section.label : all.map(({ label }) => label).join(', '),
    section,
    params: [...new Set(all.flatMap(({ params }) => params as readonly FilterParam[]))],
  };
}

/** Every section of the catalogue once, in the order of the panel. */
export const PANEL_SECTIONS: readonly PanelSection[] = [
  ...FIRST.flatMap(catalogued),
  ...FILTERS.filter(({ name }) => !FIRST.includes(name) && !TAKEN_IN.has(name)),
].map(panelSection);
