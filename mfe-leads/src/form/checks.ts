import {
  bookmarkTitleSchema,
  emailCaptureSchema,
  emailOwnerSchema,
  makeOfferSchema,
  reportListingSchema,
  shareListingSchema,
} from '@forecourt/shared-contracts/entities';
import { walletFormSchema } from './walletForm.ts';

/** The schemas by which the server validates the same bodies. */
const SCHEMAS = {
  emailOwner: emailOwnerSchema,
  makeOffer: makeOfferSchema,
  shareListing: shareListingSchema,
  reportListing: reportListingSchema,
  emailCapture: emailCaptureSchema,
  renameBookmark: bookmarkTitleSchema,
  wallet: walletFormSchema,
} as const;

/** Forms that are validated in the browser. */
export type FormName = keyof typeof SCHEMAS;

/**
 * First error of each field of a body, by field name. This module pulls in the
 * schema library: import it dynamically, so that pages load it with a form only.
 */
export function errorsOf(form: FormName, body: unknown): Record<string, string> {
  const result = SCHEMAS[form].safeParse(body);
  const errors: Record<string, string> = {};
  for (const { path, message } of result.error?.issues ?? []) errors[String(path[0])] ??= message;
  return errors;
}
