import { overrideSchema } from '@forecourt/shared-contracts/slots/override';
import { MAX_OVERRIDE_SECONDS } from '@forecourt/shared-contracts/slots/overridePaths';
import { z } from 'zod';

/** Plain HTTP is allowed for this machine only. */
const LOCAL_ORIGIN = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;

/**
 * Parses an origin in serialized form ('http://localhost:5001'). Undefined for
 * anything else: with a path, user or trailing dot, not in serialized form, or plain
 * HTTP to another machine.
 */
export function readOrigin(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { origin, protocol } = new URL(text);
  const isSecure = protocol === 'https:' || LOCAL_ORIGIN.test(origin);
  return isSecure && text === origin && !/\.(?::\d+)?$/.test(origin) ? origin : undefined;
}

/** Compares whole origins, never prefixes or suffixes. */
export function isAllowedOrigin(text: string, allowed: readonly string[]): boolean {
  const origin = readOrigin(text);
  return origin !== undefined && allowed.includes(origin);
}

/** Several tokens of up to 1,000 characters each. */
const MAX_TOKENS_LENGTH = 6_000;

const text = (maxLength: number) =>
  z
    .string()
    .trim()
    .max(maxLength)
    .optional()
    .transform((value) => (value === '' ? undefined : value));
const optionalText = text(2_000);

/** Fields of a form or link; untrusted. */
const fieldsSchema = z.object({
  /** One or several. */
  token: text(MAX_TOKENS_LENGTH),
  remote: optionalText,
  version: optionalText,
  origin: optionalText,
  returnTo: optionalText,
  minutes: z.coerce
    .number()
    .int()
    .min(1)
    .max(MAX_OVERRIDE_SECONDS / 60)
    .catch(60),
});
export type OverrideFields = z.infer<typeof fieldsSchema>;

/** Non-object input yields no fields. */
export const readFields = (input: unknown): OverrideFields =>
  fieldsSchema.catch({ minutes: 60 } as OverrideFields).parse(input ?? {});

/** The requested override, or why it is refused. */
export function requestedOverride(
  { remote, version, origin }: Pick<OverrideFields, 'remote' | 'version' | 'origin'>,
  allowed: readonly string[],
): { readonly override: ReturnType<typeof overrideSchema.parse> } | { readonly refusal: string } {
  const parsed = overrideSchema.safeParse({ remote, version, origin });
  if (!parsed.success)
    return {
      refusal:
        'Enter a remote and a version, or a remote and the origin of a local build, like http://localhost:5001.',
    };
  if (origin !== undefined && !isAllowedOrigin(origin, allowed))
    return { refusal: `Releases may not come from ${origin}: it is not one of the allowed origins.` };
  return { override: parsed.data };
}
