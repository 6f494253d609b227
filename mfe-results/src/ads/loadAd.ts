import type { CallParams } from '@forecourt/shared-contracts/calls';
import type { Ad } from '../callTypes.ts';
import type { PageData } from '@forecourt/shared-contracts/entities';
import type { Call } from '@forecourt/shared-contracts/slots';
import type { AdSize } from './adSizes.ts';

export type LoadedAd = Extract<Ad, { src: string }>;

/**
 * Loads the ad of a slot; undefined when the service has none, rejects when the service or the creative fails.
 * A frame fires `load` for error pages too and a sandboxed one cannot be inspected, so the creative is checked
 * first (B7-ADS-03, B8-ERR-12).
 */
export async function loadAd(
  call: Call,
  request: CallParams,
  signal: AbortSignal,
): Promise<LoadedAd | undefined> {
  const ad = await call('ad', request, { signal });
  if (!('src' in ad)) return undefined;
  const { ok, status } = await fetch(ad.src, { method: 'HEAD', signal });
  if (!ok) throw new Error(`the ad creative responded ${status}`);
  return ad;
}

const PAGE = 'results';

/** Request parameters of a slot, including its refresh count and the search's targeting (A1-ADS-01, AMB-193). */
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
