import type { ListingOnPage } from '../findListing.ts';

/** Fields of the form as typed (A3-LEAD-02). */
export interface EmailFields {
  readonly comments: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly fromEmailAddress: string;
  readonly phoneNumber: string;
}
export type FieldName = keyof EmailFields;

/** In the order of the form: the first wrong one gets the focus. */
export const FIELD_NAMES: readonly FieldName[] = [
  'comments',
  'firstName',
  'lastName',
  'fromEmailAddress',
  'phoneNumber',
];

/** What was typed so far on this page: who one is for every seller, the message by listing. */
export interface EmailDrafts {
  readonly contact: Omit<EmailFields, 'comments'>;
  readonly comments: Readonly<Record<string, string>>;
}

export const emptyDrafts: EmailDrafts = {
  contact: { firstName: '', lastName: '', fromEmailAddress: '', phoneNumber: '' },
  comments: {},
};

/** The message that stands in a new form. */
export const defaultComments = (kind: 'email' | 'offer', { listing }: ListingOnPage): string =>
  kind === 'offer'
    ? `Hello, I would like to make an offer for your ${listing.title}. Is it still for sale?`
    : `Hello, I am interested in the ${listing.title}. Is it still available?`;

/** Message drafts belong to a listing and to what the message is about. */
const commentsKey = (kind: 'email' | 'offer', { listing }: ListingOnPage) => `${kind}:${listing.id}`;

export const fieldsOf = (
  drafts: EmailDrafts,
  kind: 'email' | 'offer',
  found: ListingOnPage,
): EmailFields => ({
  ...drafts.contact,
  comments: drafts.comments[commentsKey(kind, found)] ?? defaultComments(kind, found),
});

/** Drafts with the fields of one form taken over. */
export function withFields(
  drafts: EmailDrafts,
  kind: 'email' | 'offer',
  found: ListingOnPage,
  { comments, ...contact }: EmailFields,
): EmailDrafts {
  return { contact, comments: { ...drafts.comments, [commentsKey(kind, found)]: comments } };
}

/** Drafts after a message was sent: it must not stand there to be sent again. */
export function withoutMessage(
  drafts: EmailDrafts,
  kind: 'email' | 'offer',
  found: ListingOnPage,
): EmailDrafts {
  const { [commentsKey(kind, found)]: _, ...comments } = drafts.comments;
  return { ...drafts, comments };
}
