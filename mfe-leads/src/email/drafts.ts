import type { LeadProfile } from '@forecourt/shared-contracts/entities';
import type { ListingOnPage } from '../listing/findListing.ts';
import { isRecord } from '../storage/browserStorage.ts';

/** What a message to a seller is about. */
export type MessageKind = 'email' | 'editEmail' | 'offer';

/** Fields of the form as typed (A3-LEAD-02); the offer is in US dollars. */
export interface EmailFields {
  readonly offerAmount: string;
  readonly comments: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly fromEmailAddress: string;
  readonly phoneNumber: string;
}
export type FieldName = keyof EmailFields;

/** In the order of the email form: the first wrong one gets the focus. */
export const FIELD_NAMES = [
  'comments',
  'firstName',
  'lastName',
  'fromEmailAddress',
  'phoneNumber',
] as const satisfies readonly FieldName[];

type Contact = Omit<EmailFields, 'comments' | 'offerAmount'>;
type Words = Pick<EmailFields, 'comments' | 'offerAmount'>;

/** What was typed so far in this tab: who one is for every seller, the words by listing. */
export interface Drafts {
  readonly contact: Partial<Contact>;
  readonly words: Readonly<Record<string, Partial<Words>>>;
  /** Fields of other forms, by the form's own name. */
  readonly forms: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export const emptyDrafts: Drafts = { contact: {}, words: {}, forms: {} };

/** Drafts as they were stored; undefined for anything else. */
export const parseDrafts = (value: unknown): Drafts | undefined =>
  isRecord(value) && isRecord(value['contact']) && isRecord(value['words']) && isRecord(value['forms'])
    ? (value as unknown as Drafts)
    : undefined;

/** The comment of a message that is sent without a form (A4-EMAIL-02). */
export const ONE_CLICK_COMMENT = 'Please confirm vehicle availability.';

/** The message that stands in a new form. */
export function defaultComments(kind: MessageKind, { listing }: ListingOnPage): string {
  if (kind === 'editEmail') return ONE_CLICK_COMMENT;
  return kind === 'offer'
    ? `Hello, I would like to make an offer for your ${listing.title}. Is it still for sale?`
    : `Hello, I am interested in the ${listing.title}. Is it still available?`;
}

/** Words belong to a listing and to what the message is about. */
const wordsKey = (kind: MessageKind, { listing }: ListingOnPage) => `${kind}:${listing.id}`;

/** What the form shows: typed text wins over what is known of the visitor. */
export function fieldsOf(
  drafts: Drafts,
  kind: MessageKind,
  found: ListingOnPage,
  profile?: LeadProfile,
): EmailFields {
  const { contact } = drafts;
  return {
    firstName: contact.firstName ?? profile?.firstName ?? '',
    lastName: contact.lastName ?? profile?.lastName ?? '',
    fromEmailAddress: contact.fromEmailAddress ?? profile?.email ?? '',
    phoneNumber: contact.phoneNumber ?? profile?.phone ?? '',
    offerAmount: '',
    comments: defaultComments(kind, found),
    ...drafts.words[wordsKey(kind, found)],
  };
}

/** Drafts with one field as it was typed. */
export function withField(
  drafts: Drafts,
  kind: MessageKind,
  found: ListingOnPage,
  name: FieldName,
  value: string,
): Drafts {
  if (name !== 'comments' && name !== 'offerAmount')
    return { ...drafts, contact: { ...drafts.contact, [name]: value } };
  const key = wordsKey(kind, found);
  return { ...drafts, words: { ...drafts.words, [key]: { ...drafts.words[key], [name]: value } } };
}

/** Drafts after a message was sent: it must not stand there to be sent again. */
export function withoutWords(drafts: Drafts, kind: MessageKind, found: ListingOnPage): Drafts {
  const { [wordsKey(kind, found)]: _, ...words } = drafts.words;
  return { ...drafts, words };
}

/** Drafts after a message about a listing was sent behind the shopper's back. */
export const withoutListing = (drafts: Drafts, listingId: string): Drafts => ({
  ...drafts,
  words: Object.fromEntries(Object.entries(drafts.words).filter(([key]) => !key.endsWith(`:${listingId}`))),
});

/** Drafts with one field of another form as it was typed. */
export const withFormField = (drafts: Drafts, form: string, name: string, value: string): Drafts => ({
  ...drafts,
  forms: { ...drafts.forms, [form]: { ...drafts.forms[form], [name]: value } },
});

/** Drafts after another form was sent. */
export function withoutForm(drafts: Drafts, form: string): Drafts {
  const { [form]: _, ...forms } = drafts.forms;
  return { ...drafts, forms };
}
