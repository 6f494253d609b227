import { emailOwnerSchema, type EmailOwner } from '@forecourt/shared-contracts/entities';
import { FIELD_NAMES, type FieldName } from './drafts.ts';

export type FieldErrors = Readonly<Partial<Record<FieldName, string>>>;

/**
 * First error of each field, by the schema that the server checks with. Loaded
 * with the dialog: nobody pays for the schema library before.
 */
export function emailErrors(body: EmailOwner): FieldErrors {
  const parsed = emailOwnerSchema.safeParse(body);
  if (parsed.success) return {};
  const errors: Partial<Record<FieldName, string>> = {};
  for (const issue of parsed.error.issues) {
    const field = FIELD_NAMES.find((name) => name === issue.path[0]);
    if (field) errors[field] ??= issue.message;
  }
  return errors;
}
