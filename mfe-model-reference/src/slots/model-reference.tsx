import { defineSlot } from '@forecourt/shared-contracts/slots';
import { ModelReference } from '../ModelReference.tsx';
import { loadPricing, pricingKey, type PricingData } from '../pricing/load.ts';

/** What a shopper may want to know about the one make and model searched for (B1-OFFER-07). */
export default defineSlot<PricingData | null>({
  needs: ['session', 'search.criteria', 'search.chips', 'search.editorial'],
  load: loadPricing,
  loadKey: pricingKey,
  view: ModelReference,
});
