/**
 * Link to sign in and return to `current`, the path and query of this page; `screen` opens the sign-up form
 * (A4-SAVE-08, A4-SAVE-09, AMB-054). The path is configured: `session.signInPath` (A2-ROUTE-07).
 */
export function signInLink(signInPath: string, current: string, screen?: 'signup'): string {
  const query = new URLSearchParams({ ...(screen ? { defaultScreen: screen } : {}), refUrl: current });
  return `${signInPath}?${query.toString()}`;
}
