/** Plain http is for one's own machine. */
const OWN_MACHINE = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;

/**
 * The origin that a text is, written as browsers write it ('http://localhost:5001'),
 * or undefined: with a path, a user, a trailing dot, another spelling of the
 * host, or plain http beyond one's own machine it is none.
 */
export function readOrigin(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { origin, protocol } = new URL(text);
  const isSecure = protocol === 'https:' || OWN_MACHINE.test(origin);
  return isSecure && text === origin && !/\.(?::\d+)?$/.test(origin) ? origin : undefined;
}

/** May releases come from there? Whole origins are compared, never their beginnings or ends. */
export function isAllowedOrigin(text: string, allowed: readonly string[]): boolean {
  const origin = readOrigin(text);
  return origin !== undefined && allowed.includes(origin);
}
