import type { ReactNode } from 'react';
import { EmailSearch } from '../capture/EmailSearch.tsx';
import { CertifiedProgramView } from '../certified/CertifiedProgramView.tsx';
import { DealerDifferenceView } from '../dealer/DealerDifferenceView.tsx';
import { ElectricVehicles } from '../electric/ElectricVehicles.tsx';
import { EmailSeller } from '../email/EmailSeller.tsx';
import { GoneListing } from '../listing/GoneListing.tsx';
import { SignInPrompt } from '../savedListings/SignInPrompt.tsx';
import { MakeOffer } from '../offer/MakeOffer.tsx';
import { CallSeller } from '../sharing/CallSeller.tsx';
import { ReportListing } from '../sharing/ReportListing.tsx';
import { ShareListing } from '../sharing/ShareListing.tsx';
import { WalletDialog } from '../wallet/WalletDialog.tsx';
import type { Opened } from './opened.ts';

/** What stands in the dialog. Loaded when the page is idle, or with the first dialog. */
export function DialogContents({ opened, onClose }: { opened: Opened; onClose: () => void }): ReactNode {
  switch (opened.kind) {
    case 'share':
      return <ShareListing listingId={opened.listingId} listing={opened.found?.listing} />;
    case 'report':
      return <ReportListing listingId={opened.listingId} listing={opened.found?.listing} onClose={onClose} />;
    case 'signIn':
      return <SignInPrompt request={opened.request} />;
    case 'wallet':
      return <WalletDialog found={opened.found} onClose={onClose} />;
    case 'emailSearch':
      return <EmailSearch search={opened.search} />;
    case 'certifiedProgram':
      return <CertifiedProgramView program={opened.program} sponsor={opened.sponsor} />;
    case 'dealerDifference':
      return <DealerDifferenceView dealer={opened.dealer} name={opened.name} />;
    case 'electricVehicles':
      return <ElectricVehicles />;
    default: {
      const { kind, listingId, found, profile } = opened;
      if (!found) return <GoneListing listingId={listingId} />;
      if (kind === 'offer') return <MakeOffer found={found} profile={profile} onClose={onClose} />;
      if (kind === 'call') return <CallSeller found={found} />;
      return <EmailSeller kind={kind} found={found} profile={profile} onClose={onClose} />;
    }
  }
}
