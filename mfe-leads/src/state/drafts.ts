import type { LeadProfile } from '@forecourt/upstream/entities';
import type { ListingWithOwner } from '../listing/findListing.ts';
import { isRecord } from '../storage/webStorage.ts';

/** Purpose of a message to a seller. */
type MessageKind = 'email' | 'editEmail' | 'offer';

/** Form fields as typed; the offer is in USD. */
export interface EmailFields {
  readonly offerAmount: string;
  readonly comments: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly fromEmailAddress: string;
  readonly phoneNumber: string;
}

export type FieldName = keyof EmailFields;

/** In form order: the first invalid one gets the focus. */
export const EMAIL_FIELD_NAMES = [
  'comments',
  'firstName',
  'lastName',
  'fromEmailAddress',
  'phoneNumber',
] as const satisfies readonly FieldName[];

type Contact = Omit<EmailFields, 'comments' | 'offerAmount'>;

type MessageText = Pick<EmailFields, 'comments' | 'offerAmount'>;

/** Unsent form input of this tab. */
export interface Drafts {
  /** Contact details, shared by the messages to all sellers. */
  readonly contact: Partial<Contact>;
  /** Message text, by `messageKey`. */
  readonly words: Readonly<Record<string, Partial<MessageText>>>;
  /** Fields of other forms, by form name. */
  readonly forms: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export const emptyDrafts: Drafts = { contact: {}, words: {}, forms: {} };

/** Parses stored drafts; undefined for any other value. */
export const parseDrafts = (value: unknown): Drafts | undefined =>
  isRecord(value) && isRecord(value['contact']) && isRecord(value['words']) && isRecord(value['forms'])
    ? (value as unknown as Drafts)
    : undefined;

/** Comment of a one-click email. */
export const ONE_CLICK_COMMENT = 'Please confirm vehicle availability.';

function defaultComments(kind: MessageKind, { listing }: ListingWithOwner): string {
  if (kind === 'editEmail') return ONE_CLICK_COMMENT;
  return kind === 'offer'
    ? `Hello, I’d like to make an offer on your ${listing.title}. Is it still available?`
    : `Hello, I am interested in the ${listing.title}. Is it still available?`;
}

const messageKey = (kind: MessageKind, { listing }: ListingWithOwner) => `${kind}:${listing.id}`;

/** Initial values of a message form: typed text wins over the visitor's profile. */
export function draftFields(
  drafts: Drafts,
  kind: MessageKind,
  vehicle: ListingWithOwner,
  profile?: LeadProfile,
): EmailFields {
  const { contact } = drafts;
  return {
    firstName: contact.firstName ?? profile?.firstName ?? '',
    lastName: contact.lastName ?? profile?.lastName ?? '',
    fromEmailAddress: contact.fromEmailAddress ?? profile?.email ?? '',
    phoneNumber: contact.phoneNumber ?? profile?.phone ?? '',
    offerAmount: '',
    comments: defaultComments(kind, vehicle),
    ...drafts.words[messageKey(kind, vehicle)],
  };
}

/** Updates one field of a message form. */
export function withField(
  drafts: Drafts,
  kind: MessageKind,
  vehicle: ListingWithOwner,
  name: FieldName,
  value: string,
): Drafts {
  if (name !== 'comments' && name !== 'offerAmount')
    return { ...drafts, contact: { ...drafts.contact, [name]: value } };
  const key = messageKey(kind, vehicle);
  return { ...drafts, words: { ...drafts.words, [key]: { ...drafts.words[key], [name]: value } } };
}

/** Clears the text of a message that was sent. */
export function withoutMessage(drafts: Drafts, kind: MessageKind, vehicle: ListingWithOwner): Drafts {
  const { [messageKey(kind, vehicle)]: _, ...words } = drafts.words;
  return { ...drafts, words };
}

/** Clears all message text about a listing, after a queued message about it was delivered. */
export const withoutListing = (drafts: Drafts, listingId: string): Drafts => ({
  ...drafts,
  words: Object.fromEntries(Object.entries(drafts.words).filter(([key]) => !key.endsWith(`:${listingId}`))),
});

/** Updates one field of another form. */
export const withFormField = (drafts: Drafts, form: string, name: string, value: string): Drafts => ({
  ...drafts,
  forms: { ...drafts.forms, [form]: { ...drafts.forms[form], [name]: value } },
});

/** Clears another form. */
export function withoutForm(drafts: Drafts, form: string): Drafts {
  const { [form]: _, ...forms } = drafts.forms;
  return { ...drafts, forms };
}

/** Form name of the report about a listing. */
export const reportFormName = (listingId: string): string => `report:${listingId}`;
