import type { StockListing, StockOwner } from '../../../domain/stock.ts';
import type { ValueCounts } from '../facetColumn.ts';
import { codesFound, hasWord, SEARCHED } from '../keyword.ts';
import { codesOf, FACET_NAMES, type FacetName } from '../listingIndex.ts';
import { VehicleTree, vehicleKey, type VehicleNode } from '../vehicleTree.ts';

/** A count of an aggregation: a term, or the key of a range. */
export interface Bucket {
  readonly key: string | number;
  readonly doc_count: number;
}

/** Upper case: codes are compared without regard to case, like in the embedded index. */
export const term = (code: string): string => code.toUpperCase();

/** Codes of one filter in the order of their first listing; a code without listings stays an option. */
class Codes {
  readonly values: string[] = [];
  private readonly codeOf = new Map<string, number>();

  /** Returns whether the value is new. */
  add(value: string): boolean {
    if (this.has(value)) return false;
    this.codeOf.set(term(value), this.values.length);
    this.values.push(value);
    return true;
  }

  has(value: string): boolean {
    return this.find(value) !== undefined;
  }

  /** Position of a value. */
  find(value: string): number | undefined {
    return this.codeOf.get(term(value));
  }

  /** From those of terms. */
  countsOf(found: Iterable<readonly [term: string, count: number]>): ValueCounts {
    const counts = new Int32Array(this.values.length);
    for (const [key, count] of found) {
      const code = this.codeOf.get(key);
      if (code !== undefined) counts[code] = count;
    }
    return { values: this.values, counts };
  }
}

/** A code of a filter or a model year, or a vehicle with its names. */
export type Entry =
  | { readonly name: FacetName | 'year'; readonly code: string }
  | { readonly vehicle: VehicleNode };

/**
 * Codes and names that listings have or had: the options of filters, what a vehicle selection admits and what keywords
 * mean. Thousands of entries, whatever the number of listings.
 */
export class Vocabulary {
  readonly vehicles = new VehicleTree();
  readonly years = new Codes();
  private readonly vehicleKeys = new Codes();
  private readonly facets = Object.fromEntries(FACET_NAMES.map((name) => [name, new Codes()])) as Record<
    FacetName,
    Codes
  >;

  /** Adds what a listing has; returns what is new. */
  add(listing: StockListing, owner: StockOwner): Entry[] {
    const { make, model, trim } = listing;
    const entries: Entry[] = [{ vehicle: { make, model, ...(trim && { trim }) } }];
    entries.push({ name: 'year', code: String(listing.year) });
    for (const name of FACET_NAMES)
      for (const code of codesOf(name, listing, owner)) entries.push({ name, code });
    return entries.filter((entry) => this.enter(entry));
  }

  /** Returns whether the entry is new. */
  enter(entry: Entry): boolean {
    if (!('vehicle' in entry)) {
      const codes = entry.name === 'year' ? this.years : this.facets[entry.name];
      return codes.add(entry.code);
    }
    const isNew = this.vehicleKeys.add(vehicleKey(entry.vehicle));
    if (isNew) this.vehicles.enter(entry.vehicle);
    return isNew;
  }

  facet(name: FacetName): Codes {
    return this.facets[name];
  }

  /** Listings of each node of `vehicles`. */
  vehicleCounts(found: Iterable<readonly [term: string, count: number]>): Int32Array {
    return this.vehicleKeys.countsOf(found).counts;
  }

  /** Terms of the nodes with a 1 at node + 1, as `VehicleTree.admitted` returns them. */
  vehicleTerms(mask: ArrayLike<number>): string[] {
    return this.vehicleKeys.values.filter((_, node) => mask[node + 1]).map(term);
  }

  /** Make, model and trim of a term. */
  vehicle(key: string): VehicleNode | undefined {
    const node = this.vehicleKeys.find(key);
    return node === undefined ? undefined : this.vehicles.nodes[node];
  }

  /** Terms of the vehicles with a word that the keyword begins. */
  nodesWithWord(keyword: string): string[] {
    return this.vehicleKeys.values
      .filter((_, node) => hasWord(this.vehicles.words[node]!, keyword))
      .map(term);
  }

  /** Number of the keywords that are in make, model and trim, by the vehicle's term; without those of 0. */
  vehicleMatches(keywords: readonly string[]): Map<string, number> {
    const matches = new Map<string, number>();
    for (const keyword of keywords)
      for (const key of this.nodesWithWord(keyword)) matches.set(key, (matches.get(key) ?? 0) + 1);
    return matches;
  }

  /** Terms that a keyword means in each of the searched fields. */
  labelTerms(keyword: string): { readonly name: (typeof SEARCHED)[number]; readonly terms: string[] }[] {
    return SEARCHED.map((name) => {
      const { values } = this.facets[name];
      return { name, terms: codesFound(values, keyword).map((code) => term(values[code]!)) };
    }).filter(({ terms }) => terms.length > 0);
  }
}
