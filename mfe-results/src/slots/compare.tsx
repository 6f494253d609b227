import { defineSlot } from '@forecourt/slots';
import { compareHead, CompareView, loadComparison, type CompareData } from '../comparePage/CompareView.tsx';

/** Main slot of `GET /cars-for-sale/compare?listingIds=1,2`. */
export default defineSlot<CompareData>({
  reads: ['page', 'session'],
  load: loadComparison,
  page: ({ data }) => compareHead(data),
  view: ({ data }) => data && <CompareView {...data} />,
});
