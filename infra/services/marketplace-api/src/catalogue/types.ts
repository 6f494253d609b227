import type { BodyStyle, FuelGroup } from '@forecourt/shared-contracts/entities/codes';

export type Drive = 'AWD4WD' | 'FWD' | 'RWD';
export type Transmission = 'AUT' | 'MAN';
export type TruckCab = 'REGCAB' | 'EXTCAB' | 'CREWCAB' | 'CREWMAX';
export type TruckBed = 'SHORT' | 'STANDARD' | 'LONG';

/**
 * One way in which a trim was built: a body with an engine. Money is whole US
 * dollars at the list price of the newest year, economy is miles per gallon
 * (equivalent, for electric ones), range is miles.
 */
export interface Variant {
  readonly bodyStyle: BodyStyle;
  readonly bodySubtype?: string;
  readonly msrp: number;
  readonly firstYear: number;
  readonly lastYear: number;
  readonly fuel: FuelGroup;
  readonly engineName: string;
  /** Cylinders, e.g. '4CLDR'; none where there are none. */
  readonly engineCode?: string;
  /** Litres, e.g. '2.5L'. */
  readonly displacement?: string;
  readonly drives: readonly Drive[];
  readonly transmissions: readonly Transmission[];
  /** Heavy trucks and vans are not rated. */
  readonly mpgCity?: number;
  readonly mpgHighway?: number;
  readonly electricRange?: number;
  readonly doors: number;
  readonly seats: number;
  readonly cabs: readonly TruckCab[];
  readonly beds: readonly TruckBed[];
  readonly isCommercial: boolean;
}

export interface CatalogueTrim {
  /** 'MODEL|Trim' (AMB-051). */
  readonly code: string;
  readonly name: string;
  readonly variants: readonly Variant[];
  /** The cheapest variant's list price. */
  readonly msrp: number;
}

export interface CatalogueModel {
  readonly makeCode: string;
  readonly code: string;
  readonly name: string;
  readonly slug: string;
  /** The body style most of them have. */
  readonly bodyStyle: BodyStyle;
  readonly firstYear: number;
  readonly lastYear: number;
  /** Thousands sold in the United States in a typical year on sale. */
  readonly yearlySales: number;
  readonly series?: { readonly code: string; readonly name: string };
  readonly trims: readonly CatalogueTrim[];
}

export interface CatalogueMake {
  readonly code: string;
  readonly name: string;
  readonly slug: string;
  /** World manufacturer identifier: the first three characters of a VIN. */
  readonly wmi: string;
  readonly isLuxury: boolean;
  /** Other spellings under which feeds name it. */
  readonly aliases: readonly string[];
  readonly models: readonly CatalogueModel[];
}
