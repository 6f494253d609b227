import { FIXED_AD_SIZES, STILL_INTERESTED_BOTTOMS } from '../../constants.ts';

/** px between the viewport's bottom and the alert, above a fixed ad of `adHeight` px; 0 = none (B9-STILL-04, AMB-146). */
export function alertBottom(adHeight: number): number {
  if (adHeight === 0) return STILL_INTERESTED_BOTTOMS.noAd;
  return adHeight <= FIXED_AD_SIZES.small[1] ? STILL_INTERESTED_BOTTOMS.smallAd : STILL_INTERESTED_BOTTOMS.ad;
}
