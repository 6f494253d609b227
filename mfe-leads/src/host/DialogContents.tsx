import type { ReactNode } from 'react';
import { CertifiedProgramView } from '../dialogs/content/CertifiedProgramView.tsx';
import { EmailSeller } from '../dialogs/email/EmailSeller.tsx';
import { MakeOffer } from '../dialogs/offer/MakeOffer.tsx';
import { ShareListing } from '../dialogs/sharing/ShareListing.tsx';
import { SignInPrompt } from '../dialogs/signIn/SignInPrompt.tsx';
import { WalletDialog } from '../dialogs/wallet/WalletDialog.tsx';
import { GoneListing } from '../listing/ListingSummary.tsx';
import { EmailSearch } from '../capture/EmailSearch.tsx';
import { ElectricVehicles } from '../dialogs/content/ElectricVehicles.tsx';
import { DealerDifferenceView } from '../dialogs/content/DealerDifferenceView.tsx';
import { ReportListing } from '../dialogs/sharing/ReportListing.tsx';
import { CallSeller } from '../dialogs/sharing/CallSeller.tsx';
import type { OpenDialog } from './dialogContent.ts';

/** Content of the open dialog. A chunk of its own, loaded while the page is idle. */
export function DialogContents({ dialog, onClose }: { dialog: OpenDialog; onClose: () => void }): ReactNode {
  switch (dialog.kind) {
    case 'share':
      return <ShareListing listingId={dialog.listingId} listing={dialog.vehicle?.listing} />;
    case 'report':
      return (
        <ReportListing listingId={dialog.listingId} listing={dialog.vehicle?.listing} onClose={onClose} />
      );
    case 'signIn':
      return <SignInPrompt request={dialog.request} />;
    case 'wallet':
      return <WalletDialog vehicle={dialog.vehicle} onClose={onClose} />;
    case 'emailSearch':
      return <EmailSearch search={dialog.search} />;
    case 'certifiedProgram':
      return <CertifiedProgramView program={dialog.program} sponsor={dialog.sponsor} />;
    case 'dealerDifference':
      return <DealerDifferenceView dealer={dialog.dealer} name={dialog.name} />;
    case 'electricVehicles':
      return <ElectricVehicles />;
    default: {
      const { kind, listingId, vehicle, profile } = dialog;
      if (!vehicle) return <GoneListing listingId={listingId} />;
      if (kind === 'offer') return <MakeOffer vehicle={vehicle} profile={profile} onClose={onClose} />;
      if (kind === 'call') return <CallSeller vehicle={vehicle} />;
      return <EmailSeller kind={kind} vehicle={vehicle} profile={profile} onClose={onClose} />;
    }
  }
}
