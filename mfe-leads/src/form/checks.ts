import { bookmarkTitleSchema, emailCaptureSchema, emailOwnerSchema, makeOfferSchema, reportListingSchema, shareListingSchema } from '@forecourt/shared-contracts/entities';
import type { FormName } from './forms.ts';
import { walletFormSchema } from '../wallet/walletForm.ts';

/** The schema by which the server checks what the form sends. */
const SCHEMAS = {
  emailOwner: emailOwnerSchema,
  makeOffer: makeOfferSchema,
  shareListing: shareListingSchema,
  reportListing: reportListingSchema,
  emailCapture: emailCaptureSchema,
  renameBookmark: bookmarkTitleSchema,
  wallet: walletFormSchema,
} as const satisfies Record<FormName, unknown>;

/**
 * First error of each field of a body, by the field's name. This module brings
 * the schema library, so it is loaded with a form: nobody pays for it before.
 */
export function errorsOf(form: FormName, body: unknown): Record<string, string> {
  const parsed = SCHEMAS[form].safeParse(body);
  const errors: Record<string, string> = {};
  for (const { path, message } of parsed.error?.issues ?? []) errors[String(path[0])] ??= message;
  return errors;
}
