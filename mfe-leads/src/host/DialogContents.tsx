import type { ReactNode } from 'react';
import { EmailSearch } from '../capture/CaptureForm.tsx';
import {
  CertifiedProgramView,
  DealerDifferenceView,
  ElectricVehicles,
} from '../dialogs/content/ContentViews.tsx';
import { EmailSeller } from '../dialogs/email/EmailSeller.tsx';
import { MakeOffer } from '../dialogs/offer/MakeOffer.tsx';
import { ReportListing, ShareListing } from '../dialogs/sharing/ShareAndReport.tsx';
import { SignInPrompt } from '../dialogs/signIn/SignInPrompt.tsx';
import { WalletDialog } from '../dialogs/wallet/WalletDialog.tsx';
import { GoneListing, ListingSummary } from '../listing/ListingSummary.tsx';
import type { OpenDialog } from './useDialogs.ts';
import { buttonClass, Icon } from '@forecourt/shared-contracts/ui';
import styles from '../dialogs/sharing/CallSeller.module.css';
import { phoneOf, sellerName, telHref, type ListingWithOwner } from '../listing/findListing.ts';

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

/** Phone number to call about a listing. */
function CallSeller({ vehicle }: { vehicle: ListingWithOwner }): ReactNode {
  const phone = phoneOf(vehicle);
  const seller = sellerName(vehicle);
  return (
    <div className={styles['call']}>
      <ListingSummary listing={vehicle.listing} seller={seller} />
      {phone ? (
        <a className={buttonClass('primary')} href={telHref(phone)}>
          <Icon name="phone" /> {phone}
        </a>
      ) : (
        <p>This seller hasn’t provided a phone number.</p>
      )}
    </div>
  );
}
