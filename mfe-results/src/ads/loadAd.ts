import type { CallParams } from '@forecourt/shared-contracts/calls';
import type { Call } from '@forecourt/shared-contracts/slots';
import type { Ad } from '../callTypes.ts';

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
