import { useEffect, useRef, useState, type RefObject } from 'react';
import type { EmailOwner } from '@forecourt/shared-contracts/entities';
import { useSlotEnvironment } from '@forecourt/shared-contracts/slots';
import { sellerName, type ListingOnPage } from '../findListing.ts';
import { FIELD_NAMES, type EmailFields, type FieldName } from './drafts.ts';
import type { FieldErrors } from './validate.ts';

type Status = 'editing' | 'sending' | 'failed' | 'sent';

/** 128 random bits; randomUUID is not there on pages without https. */
const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** The check of the fields; when its code cannot be fetched, the server's own check has to do. */
const loadCheck = (): Promise<(body: EmailOwner) => FieldErrors> =>
  import('./validate.ts').then(
    ({ emailErrors }) => emailErrors,
    () => () => ({}),
  );

/**
 * Behaviour of the email form: check, one sending at a time, retry.
 *
 * A repeated sending of the same words has the same idempotency key and is
 * stored once, even when only the answer to the first was lost; changed words
 * are a new message.
 */
export function useEmailForm(options: {
  found: ListingOnPage;
  fields: EmailFields;
  formRef: RefObject<HTMLFormElement | null>;
  onSent: () => void;
}): {
  status: Status;
  errors: FieldErrors;
  submit: () => Promise<void>;
  recheck: (field: FieldName, fields: EmailFields) => void;
} {
  const { found, fields, formRef, onSent } = options;
  const { listing } = found;
  const { call, emit } = useSlotEnvironment();
  const [status, setStatus] = useState<Status>('editing');
  const [errors, setErrors] = useState<FieldErrors>({});
  const check = useRef<ReturnType<typeof loadCheck>>(undefined);
  const isSending = useRef(false);
  const isOpen = useRef(true);
  const lastSent = useRef({ words: '', key: '' });

  useEffect(() => {
    isOpen.current = true;
    check.current ??= loadCheck();
    return () => {
      isOpen.current = false;
    };
  }, []);

  const bodyOf = (typed: EmailFields): EmailOwner => {
    const trimmed = Object.fromEntries(FIELD_NAMES.map((name) => [name, typed[name].trim()]));
    const words = JSON.stringify(trimmed);
    if (lastSent.current.words !== words) lastSent.current = { words, key: newKey() };
    return {
      ...(trimmed as unknown as EmailFields),
      listingId: listing.id,
      ownerId: listing.ownerId,
      idempotencyKey: lastSent.current.key,
    };
  };

  const send = async (body: EmailOwner): Promise<boolean> => {
    try {
      return (await call('emailOwner', {}, { body })).status === 'SUCCESS';
    } catch {
      // The gateway has logged it; the shopper is told by the form.
      return false;
    }
  };

  const submit = async () => {
    if (isSending.current) return;
    isSending.current = true;
    const body = bodyOf(fields);
    const wrong = (await (check.current ??= loadCheck()))(body);
    setErrors(wrong);
    const firstWrong = FIELD_NAMES.find((name) => wrong[name]);
    if (firstWrong) {
      isSending.current = false;
      formRef.current?.querySelector<HTMLElement>(`[name="${firstWrong}"]`)?.focus();
      return;
    }
    setStatus('sending');
    const wasSent = await send(body);
    isSending.current = false;
    setStatus(wasSent ? 'sent' : 'failed');
    if (wasSent) {
      onSent();
      emit('lead.sent', { listingId: listing.id });
    }
    // A shopper who closed the dialog meanwhile hears it from the page.
    const seller = sellerName(found);
    if (!isOpen.current)
      emit('page.announced', {
        message: wasSent ? `Your message to ${seller} was sent` : `Your message to ${seller} was not sent`,
      });
  };

  /** Takes an error away as soon as its field is right; finds no new ones while someone types. */
  const recheck = (field: FieldName, typed: EmailFields) => {
    if (!errors[field]) return;
    void check.current?.then((errorsOf) => {
      const error = errorsOf({ ...typed, listingId: 'x', ownerId: 'x', idempotencyKey: 'unsent..' })[field];
      setErrors((last) => ({ ...last, [field]: error }));
    });
  };

  return { status, errors, submit, recheck };
}
