import { BUDGETS } from './budgets.ts';
import type { Measure } from './report/measure.ts';
import { measureHttpSearch, measureIndex } from './search/measureSearch.ts';

/** What a search takes: in the search engine alone, and as a whole answer of the API at `origin`. */
export async function measureSearches(
  origin: string,
  listings: number,
  onStep: (step: string) => void,
): Promise<Measure[]> {
  onStep('searches');
  const overHttp = await measureHttpSearch(origin);
  const index = await measureIndex(listings);
  const measure = (name: string, value: number): Measure => ({ name, unit: 'ms', digits: 1, value });
  return [
    { ...measure('Search in the API, p50', index.p50), budget: BUDGETS.searchMedian },
    { ...measure('Search in the API, p99', index.p99), budget: BUDGETS.searchSlowest },
    measure('Listing call over HTTP, p50', overHttp.p50),
    measure('Listing call over HTTP, p99', overHttp.p99),
  ];
}
