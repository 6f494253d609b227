import { defineSlot } from '@forecourt/slots';
import { Showcase } from '../Showcase.tsx';

/** The sponsored dealer showcase above the results. */
export default defineSlot({
  reads: ['session', 'search.alpha', 'search.criteria', 'search.status', 'search.chips'],
  view: Showcase,
});
