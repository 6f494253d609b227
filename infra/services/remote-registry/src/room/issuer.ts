import { createEgress } from '@forecourt/durable/egress';
import { RegistryError } from '@forecourt/cli/release';
import * as openId from 'openid-client';
import { EGRESS } from '../access/egress.ts';
import type { Claims } from './sessions.ts';

/** Kept in the browser until the issuer sends it back. */
interface PendingSignIn {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** The OpenID Connect issuer of the people who steer releases. */
export interface PeopleIssuer {
  readonly begin: (redirectUri: string) => Promise<{ readonly url: string; readonly pending: PendingSignIn }>;
  /** Claims of the verified ID token. @throws RegistryError UNAUTHORIZED, ISSUER_UNAVAILABLE */
  readonly finish: (callback: URL, pending: PendingSignIn) => Promise<Claims>;
}

const TIMEOUT_SECONDS = 5;

const unavailable = (issuer: string, cause: unknown) =>
  new RegistryError('ISSUER_UNAVAILABLE', `${issuer} can't be reached; try again`, { cause });

export function createPeopleIssuer({
  issuer,
  clientId,
  clientSecret,
  isHttpAllowed,
}: {
  readonly issuer: string;
  readonly clientId: string;
  /** Without a secret, PKCE alone authenticates the registry. */
  readonly clientSecret?: string | undefined;
  /** Only for an issuer on the same machine. */
  readonly isHttpAllowed: boolean;
}): PeopleIssuer {
  const send = createEgress(EGRESS.issuer(issuer));
  let discovered: Promise<openId.Configuration> | undefined;
  async function configuration(): Promise<openId.Configuration> {
    discovered ??= openId.discovery(
      new URL(issuer),
      clientId,
      undefined,
      clientSecret === undefined ? openId.None() : openId.ClientSecretBasic(clientSecret),
      {
        timeout: TIMEOUT_SECONDS,
        execute: isHttpAllowed ? [openId.allowInsecureRequests] : [],
        [openId.customFetch]: (url, { method, headers, body }) =>
          send(url, { method, headers, ...(body instanceof URLSearchParams && { body: body.toString() }) }),
      },
    );
    try {
      return await discovered;
    } catch (error) {
      // The next sign-in tries again.
      discovered = undefined;
      throw unavailable(issuer, error);
    }
  }

  return {
    async begin(redirectUri) {
      const pending = {
        state: openId.randomState(),
        nonce: openId.randomNonce(),
        verifier: openId.randomPKCECodeVerifier(),
      };
      const url = openId.buildAuthorizationUrl(await configuration(), {
        redirect_uri: redirectUri,
        scope: 'openid profile email',
        state: pending.state,
        nonce: pending.nonce,
        code_challenge: await openId.calculatePKCECodeChallenge(pending.verifier),
        code_challenge_method: 'S256',
      });
      return { url: url.href, pending };
    },
    async finish(callback, { state, nonce, verifier }) {
      const issuerConfiguration = await configuration();
      try {
        const tokens = await openId.authorizationCodeGrant(issuerConfiguration, callback, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        return tokens.claims() ?? {};
      } catch (error) {
        throw new RegistryError('UNAUTHORIZED', 'the issuer did not confirm this sign-in; start again', {
          cause: error,
        });
      }
    },
  };
}
