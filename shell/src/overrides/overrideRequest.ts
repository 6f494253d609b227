import { MAX_OVERRIDE_SECONDS, overrideSchema } from '@forecourt/shared-contracts/slots/override';
import { z } from 'zod';
import { isAllowedOrigin } from './allowList.ts';

const given = z
  .string()
  .trim()
  .max(2000)
  .optional()
  .transform((text) => (text === '' ? undefined : text));

/** The fields of a form or of a link, before anything is believed of them. */
const fieldsSchema = z.object({
  token: given,
  remote: given,
  version: given,
  origin: given,
  returnTo: given,
  minutes: z.coerce
    .number()
    .int()
    .min(1)
    .max(MAX_OVERRIDE_SECONDS / 60)
    .catch(60),
});
export type OverrideFields = z.infer<typeof fieldsSchema>;

/** An array, or what is no form at all, is none of our fields. */
export const readFields = (input: unknown): OverrideFields =>
  fieldsSchema.catch({ minutes: 60 } as OverrideFields).parse(input ?? {});

/** The override that fields ask for, or why it may not be. */
export function askedOverride(
  { remote, version, origin }: Pick<OverrideFields, 'remote' | 'version' | 'origin'>,
  allowed: readonly string[],
): { readonly override: ReturnType<typeof overrideSchema.parse> } | { readonly refusal: string } {
  const read = overrideSchema.safeParse({ remote, version, origin });
  if (!read.success)
    return {
      refusal:
        'A remote and a version are needed, or a remote and the origin of a local build, like http://localhost:5001.',
    };
  if (origin !== undefined && !isAllowedOrigin(origin, allowed))
    return { refusal: `Releases may not come from ${origin}: it is not one of the allowed origins.` };
  return { override: read.data };
}
