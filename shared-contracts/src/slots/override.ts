import { z } from 'zod';
import { remoteNameSchema, versionSchema } from './release.ts';

/** An override token is a JSON Web Token of this type, signed with HMAC-SHA256 (RFC 7515, RFC 7519). */
export const OVERRIDE_TOKEN = { typ: 'override+jwt', alg: 'HS256' } as const;
/** Fewer characters than this are no signing key. */
export const MIN_OVERRIDE_KEY = 32;

/** Another release of one remote for one tester: a published version, or what a local build's origin serves. */
export const overrideSchema = z
  .object({
    remote: remoteNameSchema,
    version: versionSchema.optional(),
    /** Of a local build; without a version whatever it serves. */
    origin: z.string().max(200).optional(),
  })
  .refine(({ version, origin }) => (version ?? origin) !== undefined, 'a version or an origin is needed');

/** What an override token says. Times are s since 1970. */
export const overrideClaimsSchema = z
  .object({
    /** Host of the one shell that it is for. */
    aud: z.string().min(1).max(255),
    /** Who asked for it. */
    sub: z.string().min(1).max(100),
    iat: z.number().int(),
    exp: z.number().int(),
  })
  .and(overrideSchema);

/** Where a shell shows, sets and ends overrides. */
export const OVERRIDES_PATH = '/cars-for-sale/overrides';
/** Path of the manifest of a build that is served as it stands, below its origin. */
export const LOCAL_MANIFEST_PATH = '/release.json';
/** An override ends by itself after eight hours at the latest; s. */
export const MAX_OVERRIDE_SECONDS = 8 * 3600;
