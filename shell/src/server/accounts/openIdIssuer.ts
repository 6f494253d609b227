import * as openId from 'openid-client';
import { IssuerError, type Issuer, type SignedIn } from './issuer.ts';

export interface OpenIdOptions {
  /** Name of the issuer, e.g. 'https://accounts.example.com'. */
  readonly issuer: string;
  readonly clientId: string;
  /** Without one the client proves itself by PKCE alone. */
  readonly clientSecret?: string | undefined;
  /** Plain http is for one's own machine. */
  readonly isHttpAllowed: boolean;
  readonly timeoutMs?: number;
  /** ms for which an issuer that gave no answer is not asked again: no page may wait for it twice. */
  readonly restMs?: number;
  readonly now?: () => number;
}

const SCOPE = 'openid profile email';
/** The prompts that ask for a page; the second is our own issuer's (OpenID Connect Core, 3.1.2.1). */
const PROMPTS = { 'sign-in': undefined, 'sign-up': 'create', 'change-password': 'password' } as const;

/** What the metadata say besides what the library types. */
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
      `the issuer answered ${error.error}`,
      { cause: error },
    );
  if (error instanceof openId.ResponseBodyError) {
    if (error.status >= 500)
      return new IssuerError('UNAVAILABLE', `status ${error.status}`, { cause: error });
    return new IssuerError(
      error.error === 'invalid_grant' ? 'SESSION_OVER' : 'REFUSED',
      `the issuer answered ${error.error}`,
      { cause: error },
    );
  }
  const { code, cause } = error as { code?: string; cause?: { status?: number } };
  const isLate = code === 'OAUTH_TIMEOUT' || code === 'OAUTH_ABORT';
  const isUnwell = code === 'OAUTH_RESPONSE_IS_NOT_CONFORM' && (cause?.status ?? 0) >= 500;
  // What the library has read and does not believe has a code; all else never was an answer.
  const isAnswer = error instanceof openId.ClientError && code !== undefined && !isLate && !isUnwell;
  return new IssuerError(
    isAnswer ? 'REFUSED' : 'UNAVAILABLE',
    error instanceof Error ? error.message : String(error),
    { cause: error },
  );
}

/** An issuer that speaks OpenID Connect: its metadata is read when it is first needed, and then kept. */
export function createOpenIdIssuer(options: OpenIdOptions): Issuer {
  const {
    issuer,
    clientId,
    clientSecret,
    isHttpAllowed,
    timeoutMs = 3_000,
    restMs = 5_000,
    now = Date.now,
  } = options;
  let configuration: Promise<openId.Configuration> | undefined;
  let restsUntil = 0;

  async function discover(): Promise<openId.Configuration> {
    const found = await openId.discovery(
      new URL(issuer),
      clientId,
      undefined,
      clientSecret ? openId.ClientSecretBasic(clientSecret) : openId.None(),
      { timeout: timeoutMs / 1000, execute: isHttpAllowed ? [openId.allowInsecureRequests] : [] },
    );
    // Tokens are read from the issuer itself, yet what goes upstream is checked by signature here, too.
    openId.enableNonRepudiationChecks(found);
    return found;
  }

  /** Runs one exchange; an issuer that gives no answer rests for a while. */
  async function ask<T>(run: (configuration: openId.Configuration) => Promise<T>): Promise<T> {
    if (now() < restsUntil) throw new IssuerError('UNAVAILABLE', 'gave no answer a moment ago');
    try {
      configuration ??= discover();
      return await run(await configuration);
    } catch (error) {
      const failure = toIssuerError(error);
      if (failure.code === 'UNAVAILABLE') {
        restsUntil = now() + restMs;
        configuration = undefined;
      }
      throw failure;
    }
  }

  function toSignedIn(tokens: openId.TokenEndpointResponse & openId.TokenEndpointResponseHelpers): SignedIn {
    const claims = tokens.claims();
    if (!tokens.id_token || !claims) throw new IssuerError('REFUSED', 'the issuer gave no id token');
    const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
    return {
      subject: claims.sub,
      name: text(claims['name']),
      email: text(claims['email']),
      idToken: tokens.id_token,
      expiresAt: claims.exp * 1000,
      refreshToken: tokens.refresh_token,
    };
  }

  return {
    begin: ({ redirectUri, screen, brand }) =>
      ask(async (found) => {
        const pending = {
          state: openId.randomState(),
          nonce: openId.randomNonce(),
          codeVerifier: openId.randomPKCECodeVerifier(),
        };
        const { prompts, scopes } = listsOf(found);
        const prompt = PROMPTS[screen];
        const url = openId.buildAuthorizationUrl(found, {
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
      }),
    changesPasswords: () => ask(async (found) => listsOf(found).prompts.includes(PROMPTS['change-password'])),
    finish: (callback, { state, nonce, codeVerifier }) =>
      ask(async (found) =>
        toSignedIn(
          await openId.authorizationCodeGrant(found, callback, {
            pkceCodeVerifier: codeVerifier,
            expectedState: state,
            expectedNonce: nonce,
            idTokenExpected: true,
          }),
        ),
      ),
    renew: (refreshToken) =>
      ask(async (found) => {
        const tokens = await openId.refreshTokenGrant(found, refreshToken);
        const renewed = toSignedIn(tokens);
        // An issuer that does not rotate its refresh tokens sends none.
        return { ...renewed, refreshToken: renewed.refreshToken ?? refreshToken };
      }),
    revoke: (refreshToken) =>
      ask(async (found) => {
        if (found.serverMetadata().revocation_endpoint)
          await openId.tokenRevocation(found, refreshToken, { token_type_hint: 'refresh_token' });
      }),
    signOutUrl: (idToken, returnTo) =>
      ask(async (found) =>
        found.serverMetadata().end_session_endpoint
          ? openId.buildEndSessionUrl(found, {
              id_token_hint: idToken,
              post_logout_redirect_uri: returnTo.href,
            })
          : undefined,
      ),
  };
}
