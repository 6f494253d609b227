/**
 * Link to sign in and come back to `current`, path and query of the page at
 * hand; `screen` opens the sign-up form (A4-SAVE-08, A4-SAVE-09, AMB-054). The
 * path comes from configuration: `session.signInPath` (A2-ROUTE-07).
 */
export function signInLink(signInPath: string, current: string, screen?: 'signup'): string {
  const query = new URLSearchParams({ ...(screen ? { defaultScreen: screen } : {}), refUrl: current });
  return `${signInPath}?${query.toString()}`;
}
