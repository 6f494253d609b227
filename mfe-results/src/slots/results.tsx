import { defineSlot } from '@forecourt/shared-contracts/slots';
import { ResultsView } from '../results/ResultsView.tsx';

export default defineSlot({
  needs: [
    'session',
    'search.adjustment',
    'search.boost',
    'search.breadcrumbs',
    'search.chips',
    'search.criteria',
    'search.firstLoadedRecord',
    'search.listings',
    'search.notice',
    'search.owners',
    'search.pageData',
    'search.pageSizes',
    'search.requestId',
    'search.spotlights',
    'search.status',
    'search.suggestions',
    'search.totalResultCount',
    'search.url',
    'search.vehicleHighlight',
  ],
  view: ResultsView,
});
