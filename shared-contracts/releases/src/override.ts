import { z } from 'zod';
import { remoteNameSchema, versionSchema } from './manifest.ts';

/** An override token is a JSON Web Token of this type, signed with HMAC-SHA256 (RFC 7515, RFC 7519). */
export const OVERRIDE_TOKEN = { typ: 'override+jwt', alg: 'HS256' } as const;
/** Minimum length of a signing key. */
export const MIN_OVERRIDE_KEY = 32;

/** Another release of one remote for one tester: a published version, or a local build by its origin. */
export const overrideSchema = z
  .object({
    remote: remoteNameSchema,
    version: versionSchema.optional(),
    /** For a local build: the expected version; any version without it. */
    origin: z.string().max(200).optional(),
  })
  .refine(({ version, origin }) => (version ?? origin) !== undefined, 'a version or an origin is needed');

/** Claims of an override token. Times are s since 1970. */
export const overrideClaimsSchema = z
  .object({
    /** Origin of the shell that accepts it, e.g. 'https://www.example'. */
    aud: z
      .string()
      .max(255)
      .refine((text) => URL.canParse(text) && new URL(text).origin === text, 'must be an origin'),
    /** The tester who requested it. */
    sub: z.string().min(1).max(100),
    iat: z.number().int(),
    exp: z.number().int(),
    /** Name of the set that the release belongs to, e.g. 'spring-sale'. */
    snapshot: z
      .string()
      .regex(/^[\w.-]{1,60}$/)
      .optional(),
  })
  .and(overrideSchema);
