import type { BODY_STYLES, FuelGroup, LISTING_TYPES, SELLER_TYPES } from '@forecourt/upstream/codes';

export const SPOTLIGHT_TIERS = ['premium', 'featured', 'standard'] as const;
export type SpotlightTier = (typeof SPOTLIGHT_TIERS)[number];

/** A code with its display name. */
export interface Named {
  readonly code: string;
  readonly name: string;
}

/**
 * A listing as this service stores it. Codes are upper case, money is whole US
 * dollars, distances are miles, dates are days since 1970-01-01 UTC.
 */
export interface StockListing {
  readonly id: string;
  /** 17 characters; importers without one derive it from their stock number. */
  readonly vin: string;
  readonly stockNumber?: string;
  readonly ownerId: string;
  readonly listingType: ListingType;
  readonly year: number;
  readonly make: Named;
  readonly model: Named;
  readonly series?: Named;
  /** `code` is 'MODEL|Trim'. */
  readonly trim?: Named;
  /** Missing where neither feed nor catalog says it. */
  readonly bodyStyle?: BodyStyle;
  /** Cab size of a truck, or the SUV, van or sedan subtype. */
  readonly bodySubtype?: string;
  readonly truckBedLength?: string;
  /** Missing where neither feed nor catalog says it. */
  readonly fuel?: FuelGroup;
  /** 'AWD4WD', 'FWD' or 'RWD'. */
  readonly drive?: string;
  /** 'AUT' or 'MAN'. */
  readonly transmission?: string;
  /** Cylinders, e.g. '4CLDR'; electric vehicles have none. */
  readonly engineCode?: string;
  readonly engineName?: string;
  /** Liters, e.g. '2.5L'. */
  readonly engineDisplacement?: string;
  readonly doors?: number;
  readonly seats?: number;
  readonly mpgCity?: number;
  readonly mpgHighway?: number;
  /** Of plug-in and electric vehicles. */
  readonly electricRange?: number;
  readonly extColor?: string;
  readonly intColor?: string;
  readonly mileage?: number;
  readonly msrp?: number;
  readonly salePrice?: number;
  /** Price after the maker's rebate; the first choice for the shown price. */
  readonly incentive?: number;
  readonly previousPrice?: number;
  readonly dealIndicator?: 'Great' | 'Good' | 'Fair' | 'High';
  readonly features: readonly string[];
  readonly packages: readonly string[];
  /** 'CLEAN_TITLE', 'NO_ACCIDENTS', 'ONE_OWNER', 'PERSONAL_USE'. */
  readonly history: readonly string[];
  readonly listedOn: number;
  readonly reducedOn?: number;
  /** Prices by the day (since 1970) of their first import, oldest first; missing until the price changes. */
  readonly prices?: readonly (readonly [day: number, price: number])[];
  readonly viewCount: number;
  readonly isHot: boolean;
  readonly hasSpecialOffer: boolean;
  readonly fyuseId?: string;
  readonly isCommercial: boolean;
  /** Sold with a money-back guarantee (vehicleExchange). */
  readonly moneyBack: boolean;
  /** Its seller delivers outside the home market. */
  readonly extendedDelivery: boolean;
  readonly spotlightTier?: SpotlightTier;
  /** Bought one of the two boost slots of the grid. */
  readonly isBoosted?: boolean;
  /** Where its feed says that its photos are, in display order. */
  readonly photoUrls?: readonly string[];
  /** Those of them that are stored. */
  readonly photos?: readonly StockPhoto[];
}

/** A seller as this service stores it. */
export interface StockOwner {
  readonly id: string;
  readonly name: string;
  readonly sellerType: SellerType;
  readonly phone?: string;
  readonly website?: string;
  readonly address?: string;
  readonly city: string;
  readonly state: string;
  readonly zip: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly dma: string;
  readonly rating?: { readonly value: number; readonly count: number };
  /** 'BUY_ONLINE', 'HOME_DELIVERY', 'TEST_DRIVE', 'VIRTUAL_WALKAROUND'. */
  readonly homeServices: readonly string[];
  readonly preferredCta: 'email' | 'phone' | 'website';
  readonly hideEmailForm: boolean;
  /** Buys the sponsored showcase in its market. */
  readonly isAlpha: boolean;
  /** A sponsor whose showcase lists its inventory, instead of a card of the dealer. */
  readonly hasInventoryShowcase?: boolean;
  readonly tagline?: string;
  /** Its contracts may be leases, not only loans. */
  readonly leases?: boolean;
  /** Sells through the online-commerce program; 'deemphasized' shows a secondary button. */
  readonly ecommerce?: 'full' | 'deemphasized';
}

/** incentive ?? salePrice ?? msrp. */
export const derivedPrice = ({
  incentive,
  salePrice,
  msrp,
}: Pick<StockListing, 'incentive' | 'salePrice' | 'msrp'>): number | undefined =>
  incentive ?? salePrice ?? msrp;

/** EPA's combined figure: 55 % city, 45 % highway, as fuel used per mile. */
export function combinedMpg({ mpgCity, mpgHighway }: StockListing): number | undefined {
  if (!mpgCity || !mpgHighway) return mpgCity ?? mpgHighway;
  return Math.round(1 / (0.55 / mpgCity + 0.45 / mpgHighway));
}

/** Whether a vehicle plugs in, but doesn't state how far it goes. */
export const plugsInWithoutRange = ({ fuel, electricRange }: StockListing): boolean =>
  (fuel === 'ELE' || fuel === 'PIH') && electricRange === undefined;

/** '2021 Ford F150 XLT' */
export const vehicleName = ({
  year,
  make,
  model,
  trim,
}: Pick<StockListing, 'year' | 'make' | 'model' | 'trim'>): string =>
  [year, make.name, model.name, trim?.name].filter(Boolean).join(' ');

export type BodyStyle = keyof typeof BODY_STYLES;
export type ListingType = (typeof LISTING_TYPES)[number];
export type SellerType = keyof typeof SELLER_TYPES;

/** How a row was understood, for the summary. */
export interface RowOutcome {
  /** How the listing was identified. */
  readonly key: 'vin' | 'stockNumber' | 'description';
  readonly isModelKnown: boolean;
  /** The seller's city is unknown, so the state's largest market is used. */
  readonly isPlaceApproximate: boolean;
  /** Key of the description by which it was identified. */
  readonly description?: number;
  /** The VIN has the form of a North American one, but not its check digit. */
  readonly hasInvalidVin: boolean;
  /** The VIN stands for another make or model year. */
  readonly contradictsVin: boolean;
  /** What was left out, converted or concluded: field, kind, beginning of the value. */
  readonly notes?: readonly (readonly [field: string, kind: string, text: string])[];
}

/** What became of a row. */
export interface KnownRow extends RowOutcome {
  readonly listingId: string;
  readonly ownerId: string;
}

/** By the id of the listing that was imported from the row. */
export type ImportedRows = ReadonlyMap<string, readonly [rowHash: Buffer, row: KnownRow]>;

/** Rows of earlier imports by the hash of their words. */
export interface KnownRows {
  /** In the order of the hashes; undefined also when the listing is no longer for sale. */
  find(rowHashes: readonly Buffer[]): Promise<(KnownRow | undefined)[]>;
}

/** Widths in px at which photos are stored: a card on a phone or in three columns, the same on dense screens, the vehicle page. */
export const PHOTO_WIDTHS = [320, 640, 1280] as const;

/** Best first. */
export const PHOTO_FORMATS = ['avif', 'webp'] as const;
export type PhotoFormat = (typeof PHOTO_FORMATS)[number];

/** A stored photo: what pages need to know of it. Sizes are px. */
export interface StockPhoto {
  /** Name of its files: 128 bits of the SHA-256 of the fetched bytes, hexadecimal. */
  readonly hash: string;
  /** Of the largest stored variant. */
  readonly width: number;
  readonly height: number;
  /** Of all stored variants, ascending. */
  readonly widths: readonly number[];
  /** Dominant color, '#rrggbb'. */
  readonly color: string;
  /** A blurred preview, about 100 bytes: base64 of a WebP file. */
  readonly blur: string;
}

/** Why a photo isn't shown. */
export type PhotoProblem =
  /** Its host is not in the feed's `photoHosts`, or leads into an internal network. */
  | 'REFUSED'
  | 'UNREACHABLE'
  | 'TIMEOUT'
  /** More bytes or pixels than the limits. */
  | 'TOO_LARGE'
  /** `HTTP_404` etc. */
  | `HTTP_${number}`
  /** Not a JPEG, PNG, WebP, GIF or AVIF by its content, e.g. an HTML page or an SVG. */
  | 'NOT_A_PICTURE'
  /** A picture that can't be decoded. */
  | 'BROKEN';
