/**
 * Styles of what loads later. The shell inlines a slot's styles, and chunks
 * that load later bring none: they stand here, with the slot's own.
 */
import '../alerts/stillInterested/CornerCard.module.css';
import '../bottom/ExpertReviews.module.css';
import '../bottom/VehicleBlock.module.css';
import '../compare/CompareDialog.module.css';
import '../compare/CompareDrawer.module.css';
import '../fixedAd/FixedAd.module.css';
