import type { StockListing } from '../../domain/stock.ts';
import type { ListingIndex } from '../listingIndex/listingIndex.ts';

/** Fewer similar listings say nothing about a price. */
const MINIMUM = 10;
/** Similar listings are at most this many model years older or newer. */
const YEARS_AROUND = 1;
/** ms; averages of so many listings change slowly. */
const MAX_AGE_MS = 600_000;
/** Groups of a model and year: more than a whole stock has. */
const MAX_GROUPS = 20_000;

/** What similar vehicles cost. */
export interface MarketPrice {
  /** Average asking price, whole dollars. */
  readonly average: number;
  /** Number of similar listings with a price, this one included. */
  readonly similar: number;
}

type ByTrim = ReadonlyMap<string, MarketPrice>;

/** Average prices of listings of the same model, trim, age and condition (new or not), cached for ten minutes. */
export class MarketPrices {
  private readonly index: Pick<ListingIndex, 'groupPrices'>;
  private readonly now: () => number;
  private readonly groups = new Map<string, { readonly since: number; readonly prices: Promise<ByTrim> }>();

  constructor(index: Pick<ListingIndex, 'groupPrices'>, now: () => number) {
    this.index = index;
    this.now = now;
  }

  /** Undefined for a listing of an unknown trim or with too few similar ones. */
  async of(stock: StockListing): Promise<MarketPrice | undefined> {
    return stock.trim && (await this.pricesOf(stock)).get(stock.trim.code);
  }

  private pricesOf(stock: StockListing): Promise<ByTrim> {
    const isNew = stock.listingType === 'NEW';
    const key = `${stock.make.code} ${stock.model.code} ${stock.year} ${isNew}`;
    const cached = this.groups.get(key);
    if (cached && this.now() - cached.since < MAX_AGE_MS) return cached.prices;
    const prices = this.load(stock, isNew);
    if (this.groups.size >= MAX_GROUPS) this.groups.clear();
    this.groups.set(key, { since: this.now(), prices });
    // The next search tries again.
    prices.catch(() => this.groups.delete(key));
    return prices;
  }

  private async load({ make, model, year }: StockListing, isNew: boolean): Promise<ByTrim> {
    const groups = await this.index.groupPrices(
      {
        vehicle: { makes: [make.code], models: [model.code], trims: [] },
        year: { min: year - YEARS_AROUND, max: year + YEARS_AROUND },
        facets: { listingType: isNew ? ['NEW'] : ['USED', 'CERTIFIED', '3P_CERT'] },
      },
      'trim',
    );
    return new Map(
      groups.flatMap(({ key, prices }) =>
        prices === undefined || prices.priced < MINIMUM
          ? []
          : [[key, { average: prices.average, similar: prices.priced }] as const],
      ),
    );
  }
}
