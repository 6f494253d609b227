/** Why somebody is asked to sign in. */
export interface SignInRequest {
  readonly reason: 'saveListing' | 'saveSearch' | 'account';
  readonly screen: 'signIn' | 'signUp';
  readonly listingId?: string | undefined;
  /** Path and query to come back to; the page at hand when missing. */
  readonly returnTo?: string | undefined;
}
