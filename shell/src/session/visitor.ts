import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import {
  BRANDS,
  FLAGS,
  resolveFlags,
  type BrandCode,
  type FlagName,
} from '@forecourt/shared-contracts/brands';
import { normaliseZip, SESSION_COOKIE_SECONDS } from '@forecourt/shared-contracts/rules';
import { anonymousSession, type SessionState } from '@forecourt/shared-contracts/store';
import { parseCookie, stringifySetCookie } from 'cookie';
import { isbot } from 'isbot';
import type { Config } from '../config.ts';

export type VisitorConfig = Pick<Config, 'BRAND' | 'BRAND_HOSTS' | 'LOCAL_MODE'>;

/** Who asks, as far as one request tells. */
export interface Visitor {
  /** Stable for a session: canaries go by it. */
  readonly id: string;
  readonly session: SessionState;
  /** Showcase hidden by its timed variant (B4-ALPHA-07). */
  readonly hidesAlpha: boolean;
}

const SESSION_ID = /^[0-9a-f-]{36}$/;

function brandFor(request: IncomingMessage, config: VisitorConfig): BrandCode {
  const asked = config.LOCAL_MODE ? request.headers['x-brand'] : undefined;
  if (typeof asked === 'string' && Object.hasOwn(BRANDS, asked)) return asked as BrandCode;
  const host = (request.headers.host ?? '').split(':')[0]?.toLowerCase() ?? '';
  return (Object.hasOwn(config.BRAND_HOSTS, host) ? config.BRAND_HOSTS[host] : undefined) ?? config.BRAND;
}

/** Testers set flags by header in local mode: `X-Flags: compare=false,fluidAds=true`. */
function flagOverrides(request: IncomingMessage, config: VisitorConfig): Partial<Record<FlagName, boolean>> {
  const header = config.LOCAL_MODE ? request.headers['x-flags'] : undefined;
  if (typeof header !== 'string') return {};
  return Object.fromEntries(
    header
      .split(',')
      .map((pair) => pair.trim().split('='))
      .filter(([name = '', value = '']) => Object.hasOwn(FLAGS, name) && /^(true|false)$/.test(value))
      .map(([name = '', value]): [string, boolean] => [name, value === 'true']),
  );
}

/** Reads cookies and headers; none of them can make a request fail. */
export function readVisitor(request: IncomingMessage, config: VisitorConfig, now: Date): Visitor {
  const cookies = parseCookie(request.headers.cookie ?? '');
  const brand = brandFor(request, config);
  const sid = cookies['sid'] ?? '';
  return {
    id: SESSION_ID.test(sid) ? sid : randomUUID(),
    hidesAlpha: cookies['alphaHidden'] === '1',
    session: {
      ...anonymousSession,
      brand,
      flags: resolveFlags(BRANDS[brand], flagOverrides(request, config)),
      signedIn: cookies['signedIn'] === 'true',
      isBot: isbot(request.headers['user-agent'] ?? ''),
      visitorZip: normaliseZip(cookies['zip']) ?? null,
      today: now.toISOString().slice(0, 10),
    },
  };
}

/** The session cookie, renewed with each page (A9-LIMIT-12, AMB-166). */
export const sessionCookie = (visitor: Visitor, secure: boolean): string =>
  stringifySetCookie({
    name: 'sid',
    value: visitor.id,
    maxAge: SESSION_COOKIE_SECONDS,
    httpOnly: true,
    sameSite: 'lax',
    secure,
    path: '/',
  });
