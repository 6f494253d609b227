import type { CallParams } from '@forecourt/shared-contracts/calls';
import type { PageData } from '@forecourt/shared-contracts/entities';
import type { AdSize } from './adSizes.ts';

/** Name of this page among those that have ads. */
const PAGE = 'results';

/**
 * Parameters of a slot's request: what it is, how often it was filled before,
 * and what the search is about, as the upstream put it in the page data
 * (A1-ADS-01, AMB-193).
 */
export function adRequest(
  slot: string,
  size: AdSize,
  refresh: number,
  { ad = {} }: Pick<PageData, 'ad'>,
): CallParams {
  const targeting = Object.entries(ad).map(([name, value]): [string, string] => [`t.${name}`, value]);
  return {
    ...Object.fromEntries(targeting),
    slot,
    size: size.join('x'),
    't.page': PAGE,
    n: String(refresh),
  };
}
