import type { IncomingMessage } from 'node:http';

/** Does a write come from a page of this site? Browsers name the origin of every write; other clients need not. */
export function isSameOrigin({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  const { origin, host } = headers;
  if (origin === undefined) return true;
  try {
    return new URL(origin).host === host;
  } catch {
    return false;
  }
}
