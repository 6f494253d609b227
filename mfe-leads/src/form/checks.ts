import {
  bookmarkTitleSchema,
  emailCaptureSchema,
  emailOwnerSchema,
  makeOfferSchema,
  reportListingSchema,
  shareListingSchema,
} from '@forecourt/upstream/entities';
import { z } from 'zod';

const dollars = (field: string) =>
  z
    .number(`Enter ${field} in dollars`)
    .min(0, `Enter ${field} in dollars`)
    .max(10_000_000, 'At most $10,000,000');

/** Fields of the wallet dialog: USD, months, percent per year. */
export const walletFormSchema = z.object({
  monthlyBudget: dollars('a monthly budget').min(1, 'Enter a monthly budget'),
  downPayment: dollars('a down payment').optional(),
  termMonths: z.number().int().min(1).max(120),
  aprPercent: z.number('Enter a rate').min(0, 'Enter a rate').max(50, 'At most 50%'),
  tradeInValue: dollars('a trade-in value'),
});

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
