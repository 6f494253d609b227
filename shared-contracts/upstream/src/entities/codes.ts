/** Condition codes. */
export const LISTING_TYPES = ['NEW', 'USED', 'CERTIFIED', '3P_CERT'] as const;
type ListingType = (typeof LISTING_TYPES)[number];

/** Display names of the conditions (AMB-009). */
export const LISTING_TYPE_LABELS: Record<ListingType, string> = {
  NEW: 'New',
  USED: 'Used',
  CERTIFIED: 'Certified',
  '3P_CERT': 'Third-Party Certified',
};

/**
 * Fuel group codes in display order. The spec's order omits
 * Alternative, which comes last.
 */
export const FUEL_GROUPS = {
  ELE: 'Electric',
  GSL: 'Gasoline',
  HYB: 'Hybrid',
  PIH: 'Plug-in Hybrid',
  DSL: 'Diesel',
  HYD: 'Hydrogen',
  ALT: 'Alternative',
} as const;
export type FuelGroup = keyof typeof FUEL_GROUPS;

/** Body styles: code to label and URL slug. */
export const BODY_STYLES = {
  TRUCKS: { label: 'Truck', slug: 'truck' },
  SUVCROSS: { label: 'SUV / Crossover', slug: 'suv-crossover' },
  VANMV: { label: 'Van / Minivan', slug: 'van-minivan' },
  SEDAN: { label: 'Sedan', slug: 'sedan' },
  HATCH: { label: 'Hatchback', slug: 'hatchback' },
  COUPE: { label: 'Coupe', slug: 'coupe' },
  CONVERT: { label: 'Convertible', slug: 'convertible' },
  VANS: { label: 'Van', slug: 'van' },
  SUV: { label: 'SUV', slug: 'suv' },
} as const;

/** Seller types. */
export const SELLER_TYPES = { p: 'Private Seller', d: 'Dealer' } as const;
/** Reasons for reporting a listing (AMB-195): code to label. */
export const REPORT_REASONS = {
  SOLD: 'The vehicle is sold',
  WRONG_PRICE: 'The price is wrong',
  WRONG_DETAILS: 'The description is wrong',
  SCAM: 'It looks like a scam',
  DUPLICATE: 'It is listed twice',
  OTHER: 'Something else',
} as const;

/** Kinds of deals; an unknown one is 'finance'. */
export const DEAL_KINDS = ['finance', 'lease', 'cash'] as const;
