/**
 * Link to sign in and return to `current`, the path and query of this page; `screen` opens the sign-up form. The path is configured: `session.signInPath`.
 */
export function signInLink(signInPath: string, current: string, screen?: 'signup'): string {
  const query = new URLSearchParams({ ...(screen ? { defaultScreen: screen } : {}), refUrl: current });
  return `${signInPath}?${query.toString()}`;
}
