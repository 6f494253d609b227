import { createHash } from 'node:crypto';
import { decodeJwt, errors, type JWTPayload, jwtVerify, type JWTVerifyGetKey } from 'jose';
import { createEgress, isPrivateOrigin } from '@forecourt/service-kit/egress';
import { createIssuerKeys } from '@forecourt/service-kit/issuerKeys';
import { discoveryUrlOf, issuerUrl, mustBeIssuer } from '@forecourt/service-kit/issuerUrl';
import { ACTIONS } from '@forecourt/release-kit/actions';
import { type Scope, scopeSchema } from '@forecourt/release-kit/credentials';
import { RegistryError } from '@forecourt/release-kit/registryError';
import { z } from 'zod';
import { EGRESS } from './egress.ts';

/** How long a credential of a CI run is valid. */
export const EXCHANGED_MINUTES = 15;
/** Tokens of CI runs live as long as a job at most; longer ones would have to be stored longer to reject replays. */
const MAX_TOKEN_HOURS = 24;
const CLOCK_TOLERANCE_SECONDS = 30;
const DISCOVERY_TIMEOUT_MS = 5000;
/** Signatures by a key pair only: with a shared secret, a verifier could also sign. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

/** Codes of `jose` for a key set that can't be fetched. */
const UNREACHABLE: ReadonlySet<string> = new Set(['ERR_JOSE_GENERIC', 'ERR_JWKS_TIMEOUT']);

/** Which CI runs may do what to a remote, without a stored secret. */
export const trustedPublisherSchema = z.strictObject({
  remote: scopeSchema.shape.remote,
  /** A CI run never administers. */
  actions: z.array(z.enum(ACTIONS).exclude(['administer'])).min(1),
  /** Identifier of the issuer, in its own spelling. Its keys are found by OpenID Connect Discovery. */
  issuer: issuerUrl,
  audience: z.string().min(1),
  /** Claim to pattern; all must match. `*` stands for characters other than `/` and `:`. */
  claims: z
    .record(z.string(), z.string().regex(/[^*]/, 'must not accept everything'))
    .refine((claims) => Object.keys(claims).length > 0, 'must name at least one claim'),
});
export type TrustedPublisher = z.infer<typeof trustedPublisherSchema>;

/** A CI run whose token was verified. */
export interface VerifiedRun {
  readonly name: string;
  readonly issuer: string;
  readonly scopes: Scope[];
  /** Identifies the token, which is accepted once; SHA-256 in hexadecimal. */
  readonly tokenId: string;
  /** Until when the token could be presented again. */
  readonly tokenEndsAt: string;
}

const patternOf = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .split('*')
      .map((part) => RegExp.escape(part))
      .join('[^/:]*')}$`,
  );

function matches({ audience, claims }: TrustedPublisher, payload: JWTPayload): boolean {
  if (![payload.aud].flat().includes(audience)) return false;
  return Object.entries(claims).every(([claim, pattern]) => {
    const value = Object.hasOwn(payload, claim) ? payload[claim] : undefined;
    return ['string', 'number', 'boolean'].includes(typeof value) && patternOf(pattern).test(String(value));
  });
}

/** The issuer's keys. `jose` fetches them again when a token names an unknown one. */
async function discoverKeys(issuer: string): Promise<JWTVerifyGetKey> {
  const send = createEgress(EGRESS.issuer(issuer));
  const response = await send(discoveryUrlOf(issuer));
  const discovery = z.object({ issuer: z.string(), jwks_uri: z.url() }).parse(await response.json());
  mustBeIssuer(discovery.issuer, issuer);
  if (!isPrivateOrigin(discovery.jwks_uri)) throw new Error('the issuer publishes its keys without https');
  return createIssuerKeys(new URL(discovery.jwks_uri), {
    timeoutMs: DISCOVERY_TIMEOUT_MS,
    request: (keysUrl) => send(keysUrl),
  });
}

const refuse = (reason: string, cause?: unknown) =>
  new RegistryError('UNAUTHORIZED', `the CI token is refused: ${reason}`, { cause });

/** Verifies tokens of CI runs. */
export class TrustedPublishers {
  readonly #publishers: readonly TrustedPublisher[];
  readonly #keys = new Map<string, JWTVerifyGetKey>();

  constructor(publishers: readonly TrustedPublisher[]) {
    this.#publishers = publishers;
  }

  /** @throws RegistryError UNAUTHORIZED, FORBIDDEN, ISSUER_UNAVAILABLE */
  async verify(token: string): Promise<VerifiedRun> {
    const { issuer, publishers } = this.#issuerOf(token);
    const keys = await this.#keysOf(issuer);
    const payload = await this.#payloadOf(token, { issuer, publishers, keys });
    const { sub, exp = 0 } = payload;
    // `jose` checks that it is there, not its type.
    if (typeof sub !== 'string') throw refuse('its subject is not a string');
    if (exp * 1000 > Date.now() + MAX_TOKEN_HOURS * 3_600_000)
      throw refuse(`it is valid for more than ${MAX_TOKEN_HOURS} hours`);
    const scopes = publishers
      .filter((publisher) => matches(publisher, payload))
      .map(({ remote, actions }) => ({ remote, actions }));
    // Names are printed in terminals.
    const name = `ci:${sub.replace(/[^\x21-\x7e]/g, '?')}`.slice(0, 100);
    if (scopes.length === 0)
      throw new RegistryError('FORBIDDEN', `no trusted publisher has the claims of ${name}`);
    return {
      name,
      issuer,
      scopes,
      // Without the signature, which some algorithms allow to rewrite.
      tokenId: createHash('sha256')
        .update(token.slice(0, token.lastIndexOf('.')))
        .digest('hex'),
      tokenEndsAt: new Date((exp + 2 * CLOCK_TOLERANCE_SECONDS) * 1000).toISOString(),
    };
  }

  /** The issuer that the unverified token names, if it is trusted at all. */
  #issuerOf(token: string): { issuer: string; publishers: readonly TrustedPublisher[] } {
    let issuer: string | undefined;
    try {
      issuer = decodeJwt(token).iss;
    } catch (error) {
      throw refuse('it is not a JSON Web Token', error);
    }
    const publishers = this.#publishers.filter((publisher) => publisher.issuer === issuer);
    if (issuer === undefined || publishers.length === 0) throw refuse('its issuer is not trusted');
    return { issuer, publishers };
  }

  async #keysOf(issuer: string): Promise<JWTVerifyGetKey> {
    const cachedKeys = this.#keys.get(issuer);
    if (cachedKeys) return cachedKeys;
    try {
      const keys = await discoverKeys(issuer);
      this.#keys.set(issuer, keys);
      return keys;
    } catch (error) {
      throw unavailable(issuer, error);
    }
  }

  async #payloadOf(
    token: string,
    {
      issuer,
      publishers,
      keys,
    }: { issuer: string; publishers: readonly TrustedPublisher[]; keys: JWTVerifyGetKey },
  ): Promise<JWTPayload> {
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer,
        audience: publishers.map(({ audience }) => audience),
        algorithms: ALGORITHMS,
        requiredClaims: ['sub', 'exp'],
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
      });
      return payload;
    } catch (error) {
      const isRefused = error instanceof errors.JOSEError && !UNREACHABLE.has(error.code);
      throw isRefused ? refuse(error.message, error) : unavailable(issuer, error);
    }
  }
}

const unavailable = (issuer: string, cause: unknown) =>
  new RegistryError('ISSUER_UNAVAILABLE', `the keys of ${issuer} can't be fetched; try again`, { cause });
