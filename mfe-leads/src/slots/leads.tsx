import { defineSlot } from '@forecourt/slots';
import { LeadsHost } from '../host/LeadsHost.tsx';
// Styles of the lazily loaded dialogs and the prompt: the shell links only the styles of a slot's initial chunk.
import '../capture/CaptureForm.module.css';
import '../capture/EmailSearch.module.css';
import '../dialogs/content/CertifiedProgramView.module.css';
import '../dialogs/content/ContentFrame.module.css';
import '../dialogs/content/ElectricVehicles.module.css';
import '../dialogs/content/RichText.module.css';
import '../dialogs/email/EmailSeller.module.css';
import '../dialogs/sharing/CallSeller.module.css';
import '../dialogs/sharing/ShareListing.module.css';
import '../dialogs/signIn/SignInPrompt.module.css';
import '../dialogs/wallet/ListingDeal.module.css';
import '../dialogs/wallet/WalletDialog.module.css';
import '../form/Field.module.css';
import '../form/FieldPair.module.css';
import '../form/FormFrame.module.css';
import '../listing/ListingSummary.module.css';
import '../notifications/NotificationPrompt.module.css';

/** All dialogs, toasts, saving, the assistant and the notification prompt. Browser only. */
export default defineSlot({
  reads: [
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
