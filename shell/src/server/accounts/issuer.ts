/** What the accounts need of an OpenID Connect issuer; `openIdIssuer.ts` is the one for real. */
export interface Issuer {
  /** Where to send a visitor who wants to sign in, and what to remember until they are back. @throws IssuerError */
  readonly begin: (request: SignInRequest) => Promise<{ readonly url: URL; readonly pending: PendingSignIn }>;
  /** Has the issuer a page on which somebody who is signed in changes the password? @throws IssuerError */
  readonly changesPasswords: () => Promise<boolean>;
  /** Who came back to `callback`, the whole URL. @throws IssuerError */
  readonly finish: (callback: URL, pending: PendingSignIn) => Promise<SignedIn>;
  /** New tokens for old. @throws IssuerError SESSION_OVER when the issuer knows the session no more */
  readonly renew: (refreshToken: string) => Promise<SignedIn>;
  /** Makes the refresh token worthless. @throws IssuerError */
  readonly revoke: (refreshToken: string) => Promise<void>;
  /** Where the visitor ends the issuer's own session; undefined when the issuer has no such page. @throws IssuerError */
  readonly signOutUrl: (idToken: string, returnTo: URL) => Promise<URL | undefined>;
}

export interface SignInRequest {
  readonly redirectUri: URL;
  /** The page that the issuer shows first, where it has one. */
  readonly screen: 'sign-in' | 'sign-up' | 'change-password';
  /** A hint to how its pages should look; issuers that know nothing of it ignore it (RFC 6749, 3.1). */
  readonly brand: string;
}

/** Kept in the visitor's browser, encrypted, from the way out to the way back. */
export interface PendingSignIn {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

export interface SignedIn {
  readonly subject: string;
  /** Undefined where the issuer tells none. */
  readonly name: string | undefined;
  readonly email: string | undefined;
  readonly idToken: string;
  /** ms since 1970. */
  readonly expiresAt: number;
  readonly refreshToken: string | undefined;
}

/**
 * - `UNAVAILABLE`: the issuer cannot be reached or is unwell
 * - `CANCELLED`: the visitor went on without signing in
 * - `SESSION_OVER`: the issuer has ended the session
 * - `REFUSED`: answer or token that is not to be believed
 */
export type IssuerErrorCode = 'UNAVAILABLE' | 'CANCELLED' | 'SESSION_OVER' | 'REFUSED';

export class IssuerError extends Error {
  override readonly name = 'IssuerError';
  readonly code: IssuerErrorCode;
  constructor(code: IssuerErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
