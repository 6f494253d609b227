/**
 * Styles of what loads later. The shell inlines a slot's styles, and chunks
 * that load later bring none: they stand here, with the slot's own.
 */
import '../ads/AdFrame.later.module.css';
import '../alerts/stillInterested/CornerCard.later.module.css';
import '../bottom/ExpertReviews.later.module.css';
import '../bottom/VehicleBlock.later.module.css';
import '../compare/CompareDialog.later.module.css';
import '../compare/CompareDrawer.later.module.css';
import '../fixedAd/FixedAd.later.module.css';
