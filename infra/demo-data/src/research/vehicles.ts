import { BODY_STYLES } from '@forecourt/upstream/codes';
import type { Trim } from '@forecourt/upstream/entities';
import { catalog } from '../catalog/catalog.ts';
import {
  isSoldIn,
  msrpIn,
  slugFromName,
  type CatalogMake,
  type CatalogModel,
  type CatalogTrim,
  type Variant,
} from '@forecourt/marketplace-api/catalog';
import { shapeOf } from '../pictures/modelShapes.ts';
import { picturePath } from '../pictures/picturePath.ts';
import { steadyPick } from '../inventory/random.ts';

/** A variant of a trim in a model year, identified by a vehicleId. */
export interface ReferenceVehicle {
  readonly id: string;
  readonly year: number;
  readonly make: CatalogMake;
  readonly model: CatalogModel;
  readonly trim: CatalogTrim;
  readonly variant: Variant;
}

const PAINTS = ['WHITE', 'BLACK', 'GRAY', 'SILVER', 'BLUE', 'RED'];

/** '2021.FORD.F150.xlt.0': readable, and stable as long as the catalog has the trim. */
const idOf = (year: number, make: CatalogMake, model: CatalogModel, trim: CatalogTrim, index: number) =>
  [year, make.code, model.code, slugFromName(trim.name), index].join('.');

/** Trims of a model year, the cheapest first; empty for a model that was not built. */
export function vehiclesOf(year: number, makeCode: string, modelCode: string): ReferenceVehicle[] {
  const make = catalog.findMake(makeCode);
  const model = make && catalog.findModel(makeCode, modelCode);
  if (!make || !model) return [];
  return model.trims
    .flatMap((trim) =>
      trim.variants.flatMap((variant, index) =>
        isSoldIn(variant, year)
          ? [{ id: idOf(year, make, model, trim, index), year, make, model, trim, variant }]
          : [],
      ),
    )
    .sort((a, b) => msrpIn(a.variant, year) - msrpIn(b.variant, year) || a.id.localeCompare(b.id));
}

/** The vehicle with that id. */
export function findVehicle(id: string): ReferenceVehicle | undefined {
  const [year = '', make = '', model = ''] = id.split('.');
  if (!/^\d{4}$/.test(year)) return undefined;
  return vehiclesOf(Number(year), make, model).find((vehicle) => vehicle.id === id);
}

/** Trim name, with what distinguishes the variant from others of its trim and year. */
function trimNameOf({ trim, variant, year }: ReferenceVehicle): string {
  const siblings = trim.variants.filter((other) => isSoldIn(other, year));
  if (siblings.length === 1) return trim.name;
  const differs = (of: (one: Variant) => string) => new Set(siblings.map(of)).size > 1;
  const parts = [
    differs(({ bodyStyle }) => bodyStyle) && BODY_STYLES[variant.bodyStyle].label,
    differs(({ engineName }) => engineName) && variant.engineName,
  ];
  return [trim.name, ...parts].filter(Boolean).join(' ');
}

/** A vehicle in the response's shape. */
export function presentVehicle(vehicle: ReferenceVehicle): Trim {
  const { id, year, make, model, variant } = vehicle;
  const { bodyStyle, fuel, mpgCity, mpgHighway } = variant;
  const isElectric = fuel === 'ELE';
  const paint = steadyPick(PAINTS, make.code, model.code);
  return {
    vehicleId: id,
    trimName: trimNameOf(vehicle),
    bodyStyle: BODY_STYLES[bodyStyle].label,
    engineType: isElectric ? 'Electric' : 'Gas',
    fuelTypeGroup: fuel,
    year,
    ...(isElectric
      ? { epaMpgeCity: mpgCity, epaMpgeHwy: mpgHighway }
      : { epaCity: mpgCity, epaHwy: mpgHighway }),
    nationalMSRP: msrpIn(variant, year),
    imagePath: picturePath({
      bodyStyle,
      shape: shapeOf(make.code, model.code, bodyStyle),
      paint,
      angle: 'front',
    }),
    atcMake: make.name,
    atcModel: model.name,
    atcMakeCode: make.code,
    atcModelCode: model.code,
  };
}
