/**
 * Styles of what is fetched later. The shell links the styles of a slot with
 * the slot; a chunk that comes after it brings none of its own.
 */
import '../capture/CaptureForm.module.css';
import '../dealer/dealer.module.css';
import '../electric/ElectricVehicles.module.css';
import '../form/Field.module.css';
import '../form/form.module.css';
import '../listing/ListingSummary.module.css';
import '../richText/RichText.module.css';
import '../savedListings/SignInPrompt.module.css';
import '../sharing/CallSeller.module.css';
import '../sharing/ShareListing.module.css';
import '../wallet/WalletDialog.module.css';
