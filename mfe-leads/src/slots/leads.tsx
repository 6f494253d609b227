import { defineSlot } from '@forecourt/shared-contracts/slots';
import { LeadsHost } from '../LeadsHost.tsx';

/** The dialogs by which a shopper contacts a seller or passes a listing on. Browser only. */
export default defineSlot({
  needs: [
    'search.listings',
    'search.owners',
    'search.spotlights',
    'search.vehicleHighlight',
    'search.boost',
    'search.alpha',
  ],
  view: LeadsHost,
});
