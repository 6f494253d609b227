import type { StockListing, StockOwner } from '../../domain/stock.ts';
import { distanceMiles } from '../../domain/places/index.ts';
import type { ListingQuery } from '../../search/listingIndex/listingIndex.ts';
import { filtersOf, type MilesOf, type Row } from './oracleFilters.ts';
import { countersOf } from './oracleCounts.ts';
import { ranked, type Ranked } from './oracleOrder.ts';
import { Vehicles } from './vehicles.ts';

export interface Matches {
  /** What passes every filter. */
  readonly found: readonly Row[];
  /** By filter: for each of its options, the results of selecting that option instead of the selected ones; zeros are left out. */
  readonly counts: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** By filter in use: how many listings only this filter leaves out. */
  readonly leftOutBy: ReadonlyMap<string, number>;
}

/** The simplest implementation of the search: applies every filter to every listing. The index must agree with it. */
export class Oracle {
  private readonly rows: Row[] = [];
  private readonly vehicles = new Vehicles();
  private readonly owners: readonly StockOwner[];
  private readonly ownerPositions: ReadonlyMap<string, number>;

  constructor(owners: Iterable<StockOwner>) {
    this.owners = [...owners];
    this.ownerPositions = new Map(this.owners.map(({ id }, at) => [id, at]));
  }

  add(listing: StockListing): void {
    const vehicle = this.vehicles.know(listing);
    const ownerAt = this.ownerPositions.get(listing.ownerId)!;
    this.rows.push({ listing, owner: this.owners[ownerAt]!, ownerAt, vehicle });
  }

  /** A listing that is not for sale, or not here: only its make, model and trim count. */
  know(listing: StockListing): void {
    this.vehicles.know(listing);
  }

  search(query: ListingQuery): Matches {
    const milesOf = this.milesFrom(query);
    const filters = filtersOf(query, this.vehicles, milesOf);
    const counters = countersOf(query, milesOf);
    const found: Row[] = [];
    const leftOutBy = new Map<string, number>(filters.map(({ name }) => [name, 0]));
    for (const row of this.rows) {
      let failures = 0;
      let onlyFailed = '';
      for (const { name, passes } of filters) {
        if (passes(row)) continue;
        failures += 1;
        onlyFailed = name;
        if (failures > 1) break;
      }
      if (failures === 0) {
        found.push(row);
        for (const counter of counters.values()) counter.count(row);
      } else if (failures === 1) {
        // Its options are counted without its own selection.
        leftOutBy.set(onlyFailed, leftOutBy.get(onlyFailed)! + 1);
        counters.get(onlyFailed)?.count(row);
      }
    }
    return { found, counts: new Map([...counters].map(([name, { counts }]) => [name, counts])), leftOutBy };
  }

  /** What was found in the order of a sort. `today` in days since 1970. */
  ranked({ found }: Matches, query: ListingQuery, sort: string, today: number): Ranked[] {
    return ranked(found, { query, sort, today, milesOf: this.milesFrom(query) });
  }

  private milesFrom({ center }: ListingQuery): MilesOf {
    const miles = center && this.owners.map((owner) => distanceMiles(center, owner));
    return miles && (({ ownerAt }) => miles[ownerAt]!);
  }
}
