import { defineSlot } from '@forecourt/slots';
import { LeadWidget } from '../widget/LeadWidget.tsx';

/** Lead form at the end of the page. */
export default defineSlot({
  reads: ['search.listings', 'search.owners', 'session'],
  view: LeadWidget,
});
