import { defineSlot } from '@forecourt/slots';
import { ResultsView } from '../results/ResultsView.tsx';
// The shell inlines only a slot's initial styles, so the styles of lazily loaded chunks are imported here.
import '../ads/AdFrame.later.module.css';
import '../ads/FixedAd.later.module.css';
import '../bottom/BottomBlock.later.module.css';
import '../bottom/BottomBlocks.later.module.css';
import '../bottom/ExpertReviews.later.module.css';
import '../browser/cornerButtonClass.later.module.css';
import '../compare/CompareDialog.later.module.css';
import '../compare/CompareDrawer.later.module.css';
import '../grid/CarouselArrows.later.module.css';
import '../stillInterested/CornerCard.later.module.css';
import '../stillInterested/StillInterestedAlert.later.module.css';
import '../stillInterested/WalletNotification.later.module.css';
// Not a later one, because the page of a vehicle shows these cards at first.
import '../vehicle/VehicleCards.module.css';

export default defineSlot({
  reads: [
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
