import { MAX_OVERRIDE_SECONDS, overrideSchema } from '@forecourt/shared-contracts/slots/override';
import { z } from 'zod';

/** Plain http is for one's own machine. */
const OWN_MACHINE = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;

/**
 * The origin that a text is, written as browsers write it ('http://localhost:5001'),
 * or undefined: with a path, a user, a trailing dot, another spelling of the
 * host, or plain http beyond one's own machine it is none.
 */
export function readOrigin(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { origin, protocol } = new URL(text);
  const isSecure = protocol === 'https:' || OWN_MACHINE.test(origin);
  return isSecure && text === origin && !/\.(?::\d+)?$/.test(origin) ? origin : undefined;
}

/** May releases come from there? Whole origins are compared, never their beginnings or ends. */
export function isAllowedOrigin(text: string, allowed: readonly string[]): boolean {
  const origin = readOrigin(text);
  return origin !== undefined && allowed.includes(origin);
}

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
