import type { CallParams } from '@forecourt/shared-contracts/calls';
import type { Ad } from '../callTypes.ts';
import type { PageData } from '@forecourt/shared-contracts/entities';
import type { Call } from '@forecourt/shared-contracts/slots';
import type { AdSize } from './adSizes.ts';

export type FilledAd = Extract<Ad, { src: string }>;

/**
 * The ad of a slot, or undefined where the service has none; it fails when the
 * service or the creative does. A frame fires `load` on the browser's own
 * error page, too, and nobody can look into a sandboxed one: only an ad whose
 * creative was answered just before gets a frame (B7-ADS-03, B8-ERR-12).
 */
export async function loadAd(
  call: Call,
  request: CallParams,
  signal: AbortSignal,
): Promise<FilledAd | undefined> {
  const ad = await call('ad', request, { signal });
  if (!('src' in ad)) return undefined;
  const { ok, status } = await fetch(ad.src, { method: 'HEAD', signal });
  if (!ok) throw new Error(`The creative is answered with ${status}`);
  return ad;
}

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
