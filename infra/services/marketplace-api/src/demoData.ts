import type { ZipDirectory } from './domain/places/index.ts';
import type { StockListing, StockOwner } from './domain/stock.ts';
import type { ContentSources } from './search/index.ts';

/** What the inventory is generated from. */
interface GeneratorOptions {
  /** Listings. */
  readonly size: number;
  readonly seed: number;
  readonly today: Date;
  readonly zips: ZipDirectory;
}

/** What the module that `DEMO_DATA` names exports. */
export interface DemoData {
  readonly createDemoContent: () => ContentSources;
  readonly generateOwners: (options: GeneratorOptions) => Iterable<StockOwner>;
  readonly generateInventory: (options: GeneratorOptions) => Iterable<StockListing>;
  /** Another version generates other listings. */
  readonly GENERATOR_VERSION: number;
}

/** The module that has the demo data unless `DEMO_DATA` names another one. It may be missing. */
export const DEMO_DATA_MODULE = '@forecourt/demo-data';

/** Loads a module by its name: this package depends on none that has demo data. */
export const loadDemoData = async (module: string): Promise<DemoData> => (await import(module)) as DemoData;
