import { defineSlot } from '@forecourt/shared-contracts/slots';
import '../host/contentStyles.ts';
import { LeadsHost } from '../host/LeadsHost.tsx';

/** Everything by which a shopper contacts a seller, saves, signs up and is told. Browser only. */
export default defineSlot({
  needs: [
    'search.criteria',
    'search.url',
    'search.texts',
    'search.chips',
    'search.pageData',
    'search.listings',
    'search.owners',
    'search.spotlights',
    'search.vehicleHighlight',
    'search.boost',
    'search.alpha',
    'session',
  ],
  view: LeadsHost,
});
