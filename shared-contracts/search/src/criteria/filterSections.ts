/**
 * How a section is edited: several codes, one code, a lower and an upper bound, on or off, or free text.
 * `location` combines ZIP, radius, city and state.
 */
type FilterKind = 'location' | 'multi' | 'single' | 'range' | 'boolean' | 'text';

export interface FilterSection {
  /** Name of the section in the panel and of the API's filter (AMB-013). */
  readonly name: string;
  readonly label: string;
  readonly kind: FilterKind;
  /** Parameters that the section edits, as named in state and URL. */
  readonly params: readonly [FilterParam, ...FilterParam[]];
  /** Fixed options, if the specs define them. */
  readonly options?: readonly { readonly label: string; readonly value: string }[];
  /** Options have group headings. */
  readonly grouped?: boolean;
}

/** A row of the table, which declares its parameters. */
type FilterRow = Omit<FilterSection, 'params'> & { readonly params: readonly [string, ...string[]] };

const TABLE = [
  { name: 'location', label: 'Location', kind: 'location', params: ['zip', 'searchRadius', 'state', 'city'] },
  { name: 'zip', label: 'ZIP Code', kind: 'text', params: ['zip'] },
  { name: 'searchRadius', label: 'Distance', kind: 'single', params: ['searchRadius'] },
  {
    name: 'marketExtension',
    label: 'Include Extended Delivery',
    kind: 'boolean',
    params: ['marketExtension'],
  },
  { name: 'area', label: 'Map area', kind: 'single', params: ['area'] },
  {
    name: 'vehicleUseType',
    label: 'Vehicle Use',
    kind: 'multi',
    params: ['vehicleUseType'],
    options: [
      { label: 'Personal', value: 'PERSONAL' },
      { label: 'Commercial', value: 'COMMERCIAL' },
    ],
  },
  { name: 'vehicleExchange', label: 'Money Back Guarantee', kind: 'boolean', params: ['vehicleExchange'] },
  { name: 'yearRange', label: 'Year', kind: 'range', params: ['startYear', 'endYear'] },
  { name: 'listingType', label: 'Condition', kind: 'multi', params: ['listingType'] },
  { name: 'driveGroup', label: 'Drive Type', kind: 'multi', params: ['driveGroup'] },
  { name: 'priceRange', label: 'Price', kind: 'range', params: ['minPrice', 'maxPrice'] },
  { name: 'monthlyPayment', label: 'Monthly Payment', kind: 'single', params: ['monthlyPayment'] },
  { name: 'mileage', label: 'Mileage', kind: 'single', params: ['mileage'] },
  { name: 'vehicleStyleCode', label: 'Body Style', kind: 'multi', params: ['vehicleStyleCode'] },
  { name: 'seatCount', label: 'Seats', kind: 'multi', params: ['seatCount'] },
  { name: 'fuelTypeGroup', label: 'Fuel Type', kind: 'multi', params: ['fuelTypeGroup'] },
  { name: 'mpgRange', label: 'Fuel Economy', kind: 'single', params: ['mpgRange'] },
  { name: 'makeCode', label: 'Make', kind: 'multi', params: ['makeCode'] },
  { name: 'modelCode', label: 'Model', kind: 'multi', params: ['modelCode'] },
  { name: 'seriesCode', label: 'Series', kind: 'multi', params: ['seriesCode'] },
  { name: 'trimCode', label: 'Trim', kind: 'multi', params: ['trimCode'] },
  { name: 'packages', label: 'Packages', kind: 'multi', params: ['packages'] },
  { name: 'extColorSimple', label: 'Exterior Color', kind: 'multi', params: ['extColorSimple'] },
  { name: 'intColorSimple', label: 'Interior Color', kind: 'multi', params: ['intColorSimple'] },
  { name: 'transmissionCode', label: 'Transmission', kind: 'multi', params: ['transmissionCode'] },
  { name: 'engineDisplacement', label: 'Engine Displacement', kind: 'multi', params: ['engineDisplacement'] },
  { name: 'vehicleHistoryType', label: 'Vehicle History', kind: 'multi', params: ['vehicleHistoryType'] },
  { name: 'homeServices', label: 'Dealer Home Services', kind: 'multi', params: ['homeServices'] },
  { name: 'featureCode', label: 'Features', kind: 'multi', params: ['featureCode'], grouped: true },
  { name: 'engineCode', label: 'Cylinders', kind: 'multi', params: ['engineCode'] },
  { name: 'dealType', label: 'Best Deals', kind: 'multi', params: ['dealType'] },
  { name: 'doorCode', label: 'Doors', kind: 'multi', params: ['doorCode'] },
  { name: 'sellerType', label: 'Seller Type', kind: 'multi', params: ['sellerType'] },
  { name: 'electricMileRange', label: 'Electric Mile Range', kind: 'single', params: ['electricMileRange'] },
  { name: 'truckBedLength', label: 'Truck Bed Length', kind: 'multi', params: ['truckBedLength'] },
  { name: 'bodyStyleSubtypeCode', label: 'Truck Cab Size', kind: 'multi', params: ['bodyStyleSubtypeCode'] },
  { name: 'suvSubtypeCode', label: 'SUV Type', kind: 'multi', params: ['suvSubtypeCode'] },
  { name: 'vanSubtypeCode', label: 'Van Type', kind: 'multi', params: ['vanSubtypeCode'] },
  { name: 'sedanSubtypeCode', label: 'Sedan Type', kind: 'multi', params: ['sedanSubtypeCode'] },
] as const satisfies readonly FilterRow[];

export type FilterName = (typeof TABLE)[number]['name'];

/**
 * Parameters that narrow a search, by their internal name: always the singular form, whichever form a URL
 * uses (AMB-013, AMB-014).
 */
export type FilterParam = (typeof TABLE)[number]['params'][number] | 'keyword';

/** All sections in panel order. */
export const FILTERS: readonly (FilterSection & { readonly name: FilterName })[] = TABLE;

/** Every filter parameter, in section order. The keyword has no section. */
export const FILTER_PARAMS: readonly FilterParam[] = [
  ...new Set(TABLE.flatMap(({ params }): readonly FilterParam[] => params)),
  'keyword',
];

const PARAMS: ReadonlySet<string> = new Set(FILTER_PARAMS);

export const isFilterParam = (name: string): name is FilterParam => PARAMS.has(name);

/** The section with this name; undefined for a name that only the API uses. */
export const filterSection = (name: string): FilterSection | undefined =>
  FILTERS.find((section) => section.name === name);

/**
 * The section whose chip shows a parameter: 'location' for its four parameters, the range for both bounds.
 */
export const sectionOfParam = (param: FilterParam): FilterSection | undefined =>
  FILTERS.find((section) => section.params.includes(param));
