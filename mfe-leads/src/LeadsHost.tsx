import { useEffect, useState, type ReactNode } from 'react';
import { useStore } from 'react-redux';
import { useSlotEnvironment } from '@forecourt/shared-contracts/slots';
import type { RootState } from '@forecourt/shared-contracts/store';
import { Dialog } from '@forecourt/shared-contracts/ui';
import { CallSeller } from './CallSeller.tsx';
import { emptyDrafts, type EmailDrafts } from './email/drafts.ts';
import { EmailSeller } from './email/EmailSeller.tsx';
import { findListing, type ListingOnPage } from './findListing.ts';
import { GoneListing } from './GoneListing.tsx';
import { ShareListing } from './ShareListing.tsx';

type Kind = 'email' | 'offer' | 'call' | 'share';

/** What is open. The listing is kept as it was: a newer search must not take it out of an open dialog. */
interface Opened {
  readonly kind: Kind;
  readonly listingId: string;
  readonly found: ListingOnPage | undefined;
  /** Differs for each opening, so that each starts with a form of its own. */
  readonly opening: number;
}

const TITLES: Readonly<Record<Kind, string>> = {
  email: 'Email the seller',
  offer: 'Make an offer',
  call: 'Call the seller',
  share: 'Share this vehicle',
};

/** A seller who takes no emails is called instead (AMB-122). */
const kindFor = (kind: Kind, found: ListingOnPage | undefined): Kind =>
  kind === 'email' && found?.owner?.hideEmailForm ? 'call' : kind;

/** Opens the dialog that an intent on the bus asks for, one at a time. */
export function LeadsHost(): ReactNode {
  const { listen } = useSlotEnvironment();
  const store = useStore<RootState>();
  const [opened, setOpened] = useState<Opened | null>(null);
  const [drafts, setDrafts] = useState<EmailDrafts>(emptyDrafts);

  useEffect(() => {
    const open = (kind: Kind, listingId: string) => {
      const found = findListing(store.getState().search, listingId);
      setOpened((last) => ({
        kind: kindFor(kind, found),
        listingId,
        found,
        opening: (last?.opening ?? 0) + 1,
      }));
    };
    const stops = [
      listen('lead.requested', ({ kind, listingId }) => open(kind, listingId)),
      listen('listing.shareRequested', ({ listingId }) => open('share', listingId)),
    ];
    return () => stops.forEach((stop) => stop());
  }, [listen, store]);

  const close = () => setOpened(null);
  return (
    <Dialog open={opened !== null} title={opened ? TITLES[opened.kind] : ''} onClose={close}>
      {opened && (
        <Content key={opened.opening} opened={opened} drafts={drafts} onDraft={setDrafts} onClose={close} />
      )}
    </Dialog>
  );
}

function Content(props: {
  opened: Opened;
  drafts: EmailDrafts;
  onDraft: (update: (drafts: EmailDrafts) => EmailDrafts) => void;
  onClose: () => void;
}): ReactNode {
  const { kind, listingId, found } = props.opened;
  if (kind === 'share') return <ShareListing listingId={listingId} listing={found?.listing} />;
  if (!found) return <GoneListing listingId={listingId} />;
  if (kind === 'call') return <CallSeller found={found} />;
  return (
    <EmailSeller
      kind={kind}
      found={found}
      drafts={props.drafts}
      onDraft={props.onDraft}
      onClose={props.onClose}
    />
  );
}
