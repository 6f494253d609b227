import type { IncomingMessage } from 'node:http';
import { parseCookie, stringifySetCookie } from 'cookie';

/** Tokens of the overrides, one per remote. Over TLS no other host can set it, and no script reads it. */
const NAME = 'overrides';
const SECURE_NAME = '__Host-overrides';
/** Between two tokens: no character of one. */
const BETWEEN = '~';
/** A page has five remotes; more would outgrow what servers take for headers. */
export const MAX_OVERRIDES = 5;

type Request = IncomingMessage & { readonly secure?: boolean };

const nameFor = ({ secure = false }: Request) => (secure ? SECURE_NAME : NAME);

/** The tokens that a request carries, as they are. Cheap for the visitors who have none. */
export function tokensOf(request: Request): readonly string[] {
  const { cookie } = request.headers;
  if (!cookie?.includes(NAME)) return [];
  const value = parseCookie(cookie)[nameFor(request)] ?? '';
  return value === '' ? [] : value.split(BETWEEN).slice(0, MAX_OVERRIDES);
}

/** Keeps these tokens for `seconds`; none ends the cookie. */
export const overridesCookie = (request: Request, tokens: readonly string[], seconds: number): string =>
  stringifySetCookie({
    name: nameFor(request),
    value: tokens.join(BETWEEN),
    maxAge: tokens.length === 0 ? 0 : seconds,
    httpOnly: true,
    sameSite: 'lax',
    secure: request.secure ?? false,
    path: '/',
  });
