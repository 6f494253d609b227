import { errors, type JWTPayload, jwtVerify, type JWTVerifyGetKey, type JWTVerifyOptions } from 'jose';
import * as openId from 'openid-client';
import { z } from 'zod';
import {
  IssuerError,
  type Issuer,
  type LogoutToken,
  type PendingSignIn,
  type SignedIn,
  type SignInRequest,
} from './issuer.ts';
import { createStreamingEgress } from '@forecourt/service-kit/egress';
import { createIssuerKeys } from '@forecourt/service-kit/issuerKeys';
import { mustBeIssuer } from '@forecourt/service-kit/issuerUrl';
import { EGRESS } from '../../engine/egress.ts';
import { messageOf } from '../../engine/universal/messageOf.ts';

export interface OpenIdOptions {
  /** The issuer's identifier in its own spelling, e.g. 'https://accounts.example.com/realms/site'. */
  readonly issuer: string;
  readonly clientId: string;
  /** Without a secret the client authenticates by PKCE only. */
  readonly clientSecret?: string | undefined;
  /** Only for an issuer on the same machine. */
  readonly isHttpAllowed: boolean;
  readonly timeoutMs?: number;
  /** Cooldown without requests after the issuer was unavailable, so that pages do not wait for it again; ms. */
  readonly cooldownMs?: number;
  readonly now?: () => number;
}

const TIMEOUT_MS = 3_000;
const SCOPE = 'openid profile email';
/** Value of `prompt` for each screen; 'password' and 'delete' are extensions of our own issuer (OpenID Connect Core, 3.1.2.1). */
const PROMPTS = {
  'sign-in': undefined,
  'sign-up': 'create',
  'change-password': 'password',
  'delete-account': 'delete',
} as const;

/** Metadata fields that the library does not type. */
const listsOf = (configuration: openId.Configuration) => {
  const metadata = configuration.serverMetadata() as {
    prompt_values_supported?: readonly string[];
    scopes_supported?: readonly string[];
  };
  return { prompts: metadata.prompt_values_supported ?? [], scopes: metadata.scopes_supported ?? [] };
};

function toIssuerError(error: unknown): IssuerError {
  if (error instanceof IssuerError) return error;
  if (error instanceof openId.AuthorizationResponseError)
    return new IssuerError(
      error.error === 'access_denied' ? 'CANCELLED' : 'REFUSED',
      `the issuer returned ${error.error}`,
      { cause: error },
    );
  if (error instanceof openId.ResponseBodyError) {
    if (error.status >= 500)
      return new IssuerError('UNAVAILABLE', `status ${error.status}`, { cause: error });
    return new IssuerError(
      error.error === 'invalid_grant' ? 'SESSION_OVER' : 'REFUSED',
      `the issuer returned ${error.error}`,
      { cause: error },
    );
  }
  const { code, cause } = error as { code?: string; cause?: { status?: number } };
  const isTimeout = code === 'OAUTH_TIMEOUT' || code === 'OAUTH_ABORT';
  const isServerError = code === 'OAUTH_RESPONSE_IS_NOT_CONFORM' && (cause?.status ?? 0) >= 500;
  // Errors about the content of a response have a code; all others are network errors.
  const isInvalidResponse =
    error instanceof openId.ClientError && code !== undefined && !isTimeout && !isServerError;
  return new IssuerError(isInvalidResponse ? 'REFUSED' : 'UNAVAILABLE', messageOf(error), { cause: error });
}

type Tokens = openId.TokenEndpointResponse & openId.TokenEndpointResponseHelpers;

/** @throws IssuerError REFUSED without an id token */
function toSignedIn(tokens: Tokens): SignedIn {
  const claims = tokens.claims();
  if (!tokens.id_token || !claims) throw new IssuerError('REFUSED', 'the issuer returned no id token');
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
  return {
    subject: claims.sub,
    sid: text(claims['sid']),
    name: text(claims['name']),
    email: text(claims['email']),
    idToken: tokens.id_token,
    expiresAt: claims.exp * 1000,
    refreshToken: tokens.refresh_token,
  };
}

async function discover(options: OpenIdOptions): Promise<openId.Configuration> {
  const { issuer, clientId, clientSecret, isHttpAllowed, timeoutMs = TIMEOUT_MS } = options;
  const configuration = await openId.discovery(
    new URL(issuer),
    clientId,
    undefined,
    clientSecret ? openId.ClientSecretBasic(clientSecret) : openId.None(),
    {
      timeout: timeoutMs / 1000,
      execute: isHttpAllowed ? [openId.allowInsecureRequests] : [],
      [openId.customFetch]: createStreamingEgress(EGRESS.issuer(issuer)) as openId.CustomFetch,
    },
  );
  // The library compares parsed URLs, which takes an origin with and without a slash for the same. The upstream does not.
  try {
    mustBeIssuer(configuration.serverMetadata().issuer, issuer);
  } catch (error) {
    throw new IssuerError('REFUSED', messageOf(error), { cause: error });
  }
  return configuration;
}

const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';
/** Asymmetric only: a shared secret would let every holder of it sign. */
const ALGORITHMS = ['ES256', 'ES384', 'RS256', 'PS256', 'EdDSA'];
/** Clock skew; s. */
const CLOCK_TOLERANCE_SECONDS = 30;
/** Age up to which a logout token is accepted, and clock skew; s. Issuers without `exp` exist, so `iat` decides, too. */
export const LOGOUT_TOKEN_SECONDS = { maxAge: 300, tolerance: CLOCK_TOLERANCE_SECONDS } as const;

/** Claims of a logout token beyond those of any token; a `nonce` would make it an id token. */
const logoutClaims = z
  .object({
    jti: z.string().min(1).max(255),
    sub: z.string().min(1).max(255).optional(),
    sid: z.string().min(1).max(255).optional(),
    events: z.looseObject({ [LOGOUT_EVENT]: z.looseObject({}) }),
    nonce: z.never().optional(),
  })
  .refine(({ sub, sid }) => sub !== undefined || sid !== undefined, 'names neither a session nor an account');

interface Keys {
  readonly configuration: openId.Configuration;
  readonly keys: JWTVerifyGetKey;
}

/** The issuer's keys, which outlive its metadata: each sign-in may fetch those again. */
function createKeysOf(timeoutMs = TIMEOUT_MS): (configuration: openId.Configuration) => Keys {
  let last: { readonly url: string; readonly keys: JWTVerifyGetKey } | undefined;
  return (configuration) => {
    const { jwks_uri: url, issuer } = configuration.serverMetadata();
    if (!url) throw new IssuerError('REFUSED', 'the issuer names no keys');
    if (last?.url !== url) {
      const request = createStreamingEgress(EGRESS.issuer(issuer));
      last = { url, keys: createIssuerKeys(new URL(url), { timeoutMs, request }) };
    }
    return { configuration, keys: last.keys };
  };
}

/** Claims of a token that the issuer has signed for this client. @throws IssuerError */
async function verifyToken(
  { configuration, keys }: Keys,
  token: string,
  options: JWTVerifyOptions = {},
): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(token, keys, {
      issuer: configuration.serverMetadata().issuer,
      audience: configuration.clientMetadata().client_id,
      algorithms: ALGORITHMS,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      ...options,
    });
    return payload;
  } catch (error) {
    // Without keys jose throws its base class, a timeout, or the error of the request.
    const isInvalid =
      error instanceof errors.JOSEError &&
      !['ERR_JOSE_GENERIC', 'ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID'].includes(error.code);
    throw new IssuerError(isInvalid ? 'REFUSED' : 'UNAVAILABLE', messageOf(error), { cause: error });
  }
}

/** OpenID Connect Back-Channel Logout 1.0, 2.6. @throws IssuerError */
async function verifyLogoutToken(keys: Keys, token: string): Promise<LogoutToken> {
  const payload = await verifyToken(keys, token, { maxTokenAge: LOGOUT_TOKEN_SECONDS.maxAge });
  const claims = logoutClaims.safeParse(payload);
  if (!claims.success)
    throw new IssuerError('REFUSED', `logout token: ${z.prettifyError(claims.error)}`, {
      cause: claims.error,
    });
  const { jti, sub, sid } = claims.data;
  return { id: jti, sid, subject: sub };
}

async function beginSignIn(
  configuration: openId.Configuration,
  { redirectUri, screen, brand }: SignInRequest,
): Promise<{ url: URL; pending: PendingSignIn }> {
  const pending = {
    state: openId.randomState(),
    nonce: openId.randomNonce(),
    codeVerifier: openId.randomPKCECodeVerifier(),
  };
  const { prompts, scopes } = listsOf(configuration);
  const prompt = PROMPTS[screen];
  const url = openId.buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri.href,
    scope: scopes.includes('offline_access') ? `${SCOPE} offline_access` : SCOPE,
    state: pending.state,
    nonce: pending.nonce,
    code_challenge: await openId.calculatePKCECodeChallenge(pending.codeVerifier),
    code_challenge_method: 'S256',
    brand,
    ...(prompt !== undefined && prompts.includes(prompt) ? { prompt } : {}),
  });
  return { url, pending };
}

/**
 * Runs requests to the issuer, whose metadata is fetched on first use. During the cooldown they fail at once. With
 * `isFresh`, metadata from before the last cooldown is fetched again, which shows that the issuer is there.
 */
function createRequester(options: OpenIdOptions) {
  const { cooldownMs = 1_000, now = Date.now } = options;
  let configuration: Promise<openId.Configuration> | undefined;
  let discoveredAt = 0;
  let retryAt = 0;
  return async <T>(
    run: (configuration: openId.Configuration) => Promise<T>,
    { isFresh = false } = {},
  ): Promise<T> => {
    if (now() < retryAt) throw new IssuerError('UNAVAILABLE', 'the issuer was unavailable a moment ago');
    try {
      if (!configuration || (isFresh && now() - discoveredAt > cooldownMs)) {
        discoveredAt = now();
        configuration = discover(options);
      }
      return await run(await configuration);
    } catch (error) {
      const failure = toIssuerError(error);
      if (failure.code === 'UNAVAILABLE') {
        retryAt = now() + cooldownMs;
        configuration = undefined;
      }
      throw failure;
    }
  };
}

/** An issuer that speaks OpenID Connect. */
export function createOpenIdIssuer(options: OpenIdOptions): Issuer {
  const request = createRequester(options);
  const keysOf = createKeysOf(options.timeoutMs);
  /** Tokens are forwarded to the upstream, so their signatures are verified even though the issuer sends them directly. */
  async function verified(configuration: openId.Configuration, tokens: Tokens): Promise<SignedIn> {
    const signedIn = toSignedIn(tokens);
    await verifyToken(keysOf(configuration), signedIn.idToken);
    return signedIn;
  }
  return {
    // The visitor leaves for the issuer's page, so an issuer that is away is noticed here.
    begin: (signIn) => request((configuration) => beginSignIn(configuration, signIn), { isFresh: true }),
    hasScreen: (screen) =>
      request(async (configuration) => listsOf(configuration).prompts.includes(PROMPTS[screen])),
    finish: (callback, { state, nonce, codeVerifier }) =>
      request(async (configuration) =>
        verified(
          configuration,
          await openId.authorizationCodeGrant(configuration, callback, {
            pkceCodeVerifier: codeVerifier,
            expectedState: state,
            expectedNonce: nonce,
            idTokenExpected: true,
          }),
        ),
      ),
    renew: (refreshToken) =>
      request(async (configuration) => {
        const renewed = await verified(
          configuration,
          await openId.refreshTokenGrant(configuration, refreshToken),
        );
        // Issuers that do not rotate refresh tokens send none.
        return { ...renewed, refreshToken: renewed.refreshToken ?? refreshToken };
      }),
    isActive: (refreshToken) =>
      request(async (configuration) => {
        if (!configuration.serverMetadata().introspection_endpoint) return true;
        const hint = { token_type_hint: 'refresh_token' };
        return (await openId.tokenIntrospection(configuration, refreshToken, hint)).active;
      }),
    revoke: (refreshToken) =>
      request(async (configuration) => {
        if (configuration.serverMetadata().revocation_endpoint)
          await openId.tokenRevocation(configuration, refreshToken, { token_type_hint: 'refresh_token' });
      }),
    readLogoutToken: (token) => request((configuration) => verifyLogoutToken(keysOf(configuration), token)),
    signOutUrl: (idToken, returnTo) =>
      request(async (configuration) =>
        configuration.serverMetadata().end_session_endpoint
          ? openId.buildEndSessionUrl(configuration, {
              id_token_hint: idToken,
              post_logout_redirect_uri: returnTo.href,
            })
          : undefined,
      ),
  };
}
