import { z } from 'zod';
import { isPrivateOrigin } from './egress.ts';

/** Scheme, host, port and path, without user, query, fragment, or characters that URLs are rewritten for. */
const ISSUER = /^https?:\/\/[^\s\\/?#@]+(?:\/[^\s\\?#]*)?$/;

/**
 * Identifier of an OpenID Connect issuer (Core 1.0, 2): a URL that may have a port, a path and a slash at its end. It stays as
 * it is written, because tokens and metadata are compared with it as text.
 */
export const issuerUrl = z
  .string()
  .trim()
  .refine((text) => ISSUER.test(text) && URL.canParse(text), {
    error: 'must be a URL like https://accounts.example/realms/site, without user, query or fragment',
    abort: true,
  })
  .refine(isPrivateOrigin, 'must use https, or http on this machine');

/** Where the issuer publishes its metadata (Discovery 1.0, 4.1). */
export const discoveryUrlOf = (issuer: string): string =>
  `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;

/** Discovery 1.0, 4.3: the metadata must spell the issuer as it was configured. @throws Error that shows both spellings */
export function mustBeIssuer(named: string, issuer: string): void {
  if (named !== issuer)
    throw new Error(`the issuer spells itself '${named}', the configuration '${issuer}': they must be equal`);
}
