import type { SlugData } from '@forecourt/shared-contracts/criteria';
import type { Catalog } from '../domain/catalog.ts';
import { slugFromName } from '../domain/naming.ts';
import type { VehicleNode } from '../index/vehicleTree.ts';

interface Entry {
  readonly code: string;
  readonly name: string;
  readonly slug: string;
}
type TrimEntries = Map<string, Entry>;
type ModelEntries = Map<string, Entry & { readonly trims: TrimEntries }>;

const byName = (a: Entry, b: Entry) => a.name.localeCompare(b.name, 'en', { numeric: true });
const sorted = <Item extends Entry>(entries: ReadonlyMap<string, Item>): Item[] =>
  [...entries.values()].sort(byName);

/**
 * Makes, models and trims with their slugs (AMB-046): those of the catalog and
 * of the listings. A known model without listings keeps its URL.
 */
export function slugData(forSale: readonly VehicleNode[], catalog: Catalog): SlugData {
  const makes = new Map<string, Entry & { readonly models: ModelEntries }>();
  const makeEntry = (entry: Entry) => {
    const present = makes.get(entry.code) ?? { ...entry, models: new Map() };
    makes.set(entry.code, present);
    return present;
  };
  const modelEntry = (models: ModelEntries, entry: Entry) => {
    const present = models.get(entry.code) ?? { ...entry, trims: new Map() };
    models.set(entry.code, present);
    return present;
  };
  const slugged = ({ code, name }: { code: string; name: string }): Entry => ({
    code,
    name,
    slug: slugFromName(name),
  });

  for (const make of catalog.makes) {
    const { models } = makeEntry({ code: make.code, name: make.name, slug: make.slug });
    for (const model of make.models) {
      const { trims } = modelEntry(models, { code: model.code, name: model.name, slug: model.slug });
      for (const trim of model.trims) trims.set(trim.code, slugged(trim));
    }
  }
  for (const { make, model, trim } of forSale) {
    const { trims } = modelEntry(makeEntry(slugged(make)).models, slugged(model));
    if (trim && !trims.has(trim.code)) trims.set(trim.code, slugged(trim));
  }
  return {
    makes: sorted(makes).map(({ models, ...make }) => ({
      ...make,
      models: sorted(models).map(({ trims, ...model }) => ({ ...model, trims: sorted(trims) })),
    })),
  };
}
