import { IssuerError, type Issuer, type SignedIn } from '../issuer.ts';

export const HOUR = 3_600_000;

export interface FakeIssuer extends Omit<Issuer, 'isActive' | 'finish'> {
  isActive: Issuer['isActive'];
  finish: Issuer['finish'];
  /** Received requests, in order. */
  readonly requests: string[];
  /** Makes every request fail with this code while set. */
  fails: IssuerError['code'] | undefined;
  /** Refresh tokens that were revoked elsewhere. */
  readonly revoked: Set<string>;
  /** Expiry of tokens; ms since 1970. */
  expiresAt: number;
}

/** An in-memory issuer: the code 'code-Ada' signs in Ada. */
export function createFakeIssuer(expiresAt: number): FakeIssuer {
  let states = 0;
  const run = <T>(request: string, respond: () => T): Promise<T> => {
    fake.requests.push(request);
    return fake.fails ? Promise.reject(new IssuerError(fake.fails, 'test')) : Promise.resolve(respond());
  };
  const signedIn = (name: string, generation: number): SignedIn => ({
    subject: name,
    sid: `session-${name}`,
    name: `${name} Byron`,
    email: `${name.toLowerCase()}@example.com`,
    idToken: `token-${name}-${generation}`,
    expiresAt: fake.expiresAt,
    refreshToken: `refresh-${name}-${generation}`,
  });
  const fake: FakeIssuer = {
    requests: [],
    revoked: new Set(),
    fails: undefined,
    expiresAt,
    begin: ({ redirectUri, screen }) =>
      run(`begin ${redirectUri.href}${screen === 'sign-in' ? '' : ` ${screen}`}`, () => {
        states += 1;
        const state = `s${states}abcdefghijkl`;
        return {
          url: new URL(`https://issuer.example/auth?state=${state}`),
          pending: { state, nonce: `nonce${states}`, codeVerifier: `verifier${states}` },
        };
      }),
    hasScreen: (screen) => run(`has ${screen}`, () => true),
    finish: (callback, { codeVerifier }) =>
      run(`finish ${codeVerifier}`, () =>
        signedIn(callback.searchParams.get('code')?.replace('code-', '') ?? '?', 1),
      ),
    renew: (refreshToken) =>
      run(`renew ${refreshToken}`, () => {
        const [, name = '', generation = '0'] = refreshToken.split('-');
        return signedIn(name, Number(generation) + 1);
      }),
    // Not among the requests: it is asked every other second.
    isActive: (refreshToken) =>
      fake.fails === 'UNAVAILABLE'
        ? Promise.reject(new IssuerError('UNAVAILABLE', 'test'))
        : Promise.resolve(!fake.revoked.has(refreshToken)),
    // Of the form 'jti sid', or 'jti * subject' for all sessions of an account.
    readLogoutToken: (token) => {
      const [id = '', sid, subject] = token.split(' ');
      return fake.fails
        ? Promise.reject(new IssuerError(fake.fails, 'test'))
        : Promise.resolve({ id, subject, sid: sid === '*' ? undefined : sid });
    },
    revoke: (refreshToken) => run(`revoke ${refreshToken}`, () => undefined),
    signOutUrl: (idToken, returnTo) =>
      run(
        `signOut ${idToken}`,
        () => new URL(`https://issuer.example/end?to=${encodeURIComponent(returnTo.href)}`),
      ),
  };
  return fake;
}
