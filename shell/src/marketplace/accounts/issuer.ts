/** Port to an OpenID Connect issuer; `openIdIssuer.ts` implements it. */
export interface Issuer {
  /** URL that starts a sign-in, and the state to store until the callback. @throws IssuerError */
  readonly begin: (request: SignInRequest) => Promise<{ readonly url: URL; readonly pending: PendingSignIn }>;
  /** Whether the issuer has a page for this. @throws IssuerError */
  readonly hasScreen: (screen: AccountScreen) => Promise<boolean>;
  /** Completes a sign-in with the callback's full URL. @throws IssuerError */
  readonly finish: (callback: URL, pending: PendingSignIn) => Promise<SignedIn>;
  /** Renews the tokens. @throws IssuerError SESSION_OVER when the issuer has ended the session */
  readonly renew: (refreshToken: string) => Promise<SignedIn>;
  /** Whether the issuer still accepts the refresh token; true if it can't tell (RFC 7662). @throws IssuerError */
  readonly isActive: (refreshToken: string) => Promise<boolean>;
  /** Revokes the refresh token. @throws IssuerError */
  readonly revoke: (refreshToken: string) => Promise<void>;
  /** Verifies a request of the issuer to end sessions. @throws IssuerError REFUSED for an invalid token */
  readonly readLogoutToken: (token: string) => Promise<LogoutToken>;
  /** URL that ends the issuer's own session; undefined if the issuer has none. @throws IssuerError */
  readonly signOutUrl: (idToken: string, returnTo: URL) => Promise<URL | undefined>;
}

/** What an account's owner does at the issuer, after entering the password. */
export type AccountScreen = 'change-password' | 'delete-account';

export interface SignInRequest {
  readonly redirectUri: URL;
  /** The issuer's first page, if it supports the choice. */
  readonly screen: 'sign-in' | 'sign-up' | AccountScreen;
  /** Hint for the look of the issuer's pages; ignored by issuers that do not support it (RFC 6749, 3.1). */
  readonly brand: string;
}

/** Stored encrypted in the visitor's browser until the callback. */
export interface PendingSignIn {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

/** Names a session, or all sessions of an account; at least one is present (OpenID Connect Back-Channel Logout 1.0, 2.4). */
export interface LogoutToken {
  readonly id: string;
  readonly sid: string | undefined;
  readonly subject: string | undefined;
}

export interface SignedIn {
  readonly subject: string;
  /** The issuer's session; undefined if the id token names none. */
  readonly sid: string | undefined;
  /** Undefined if the issuer provides none. */
  readonly name: string | undefined;
  readonly email: string | undefined;
  readonly idToken: string;
  /** ms since 1970. */
  readonly expiresAt: number;
  readonly refreshToken: string | undefined;
}

/**
 * - `UNAVAILABLE`: the issuer is unreachable or failing
 * - `CANCELLED`: the visitor cancelled the sign-in
 * - `SESSION_OVER`: the issuer has ended the session
 * - `REFUSED`: an invalid response or token
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
