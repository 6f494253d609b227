import { CAMPAIGN_CHANNELS } from './campaignChannels.ts';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request } from 'express';
import { sessionCookieName } from '../../engine/http/cookies.ts';
import { contextOf } from '../../engine/http/requestContext.ts';
import type { Visitor as EngineVisitor, Visitors } from '../../engine/http/visitor.ts';
import type { FlagSource } from './flags.ts';
import { BRANDS, FLAGS, resolveFlags, type BrandCode } from '@forecourt/search/brands';
import { normalizeZip } from '@forecourt/search/criteria';
import { anonymousSession, type SessionState } from '@forecourt/search/state';
import { parseCookie } from 'cookie';
import { isbot } from 'isbot';
import { ALPHA_HIDDEN_COOKIE, CAMPAIGN_COOKIE, PIXALL_COOKIE, SIGNED_IN_COOKIE } from './cookies.ts';
import { ZIP_COOKIE } from './universal/zipCookie.ts';

/** Configuration keys that affect the visitor. */
export interface VisitorOptions {
  readonly BRAND: { readonly byDefault: BrandCode; readonly hosts: Readonly<Record<string, BrandCode>> };
  readonly FIREBASE_WEB_APP?: SessionState['firebase'] | undefined;
  readonly LOCAL_MODE: boolean;
  readonly SIGN_IN_PATH: string;
}

/** The visitor of one request. */
export interface Visitor extends EngineVisitor {
  readonly session: SessionState;
  /** Showcase hidden by its timed variant. */
  readonly hidesAlpha: boolean;
  /** Channel of the visitor's campaign; undefined = the brand's own (AMB-163). */
  readonly channel: string | undefined;
  /** First-party id of the browser; undefined for bots and with Sec-GPC. */
  readonly pixallId: string | undefined;
  /** The id is new: the response must set its cookie. */
  readonly needsPixallId: boolean;
}

/** What the engine reads of a visitor, by the session. */
const derived = ({
  id,
  pixallId,
  session,
}: Pick<Visitor, 'id' | 'pixallId' | 'session'>): Omit<EngineVisitor, 'id' | 'session'> => ({
  isBot: session.isBot,
  isSignedIn: session.signedIn,
  accountKey: session.account?.email,
  consumerId: pixallId ?? id,
});

/** The visitor of a request. */
// The port in site.ts made it, so it has more than the engine knows.
export const visitorOf = (request: IncomingMessage): Visitor => contextOf(request).visitor as Visitor;

const UUID = /^[0-9a-f-]{36}$/;

type Cookies = ReturnType<typeof parseCookie>;

function brandFor(request: IncomingMessage, cookies: Cookies, config: VisitorOptions): BrandCode {
  const override = config.LOCAL_MODE ? (request.headers['x-brand'] ?? cookies['brand']) : undefined;
  if (typeof override === 'string' && Object.hasOwn(BRANDS, override)) return override as BrandCode;
  const host = (request.headers.host ?? '').split(':')[0]?.toLowerCase() ?? '';
  const { byDefault, hosts } = config.BRAND;
  return (Object.hasOwn(hosts, host) ? hosts[host] : undefined) ?? byDefault;
}

/** Flag overrides of local mode: `X-Flags: compare=false,fluidAds=true`, or a cookie `flags` of the same form. */
export function flagOverrides(
  request: IncomingMessage,
  config: Pick<VisitorOptions, 'LOCAL_MODE'>,
): Partial<Record<keyof typeof FLAGS, boolean>> {
  if (!config.LOCAL_MODE) return {};
  const text = request.headers['x-flags'] ?? parseCookie(request.headers.cookie ?? '')['flags'];
  if (typeof text !== 'string') return {};
  return Object.fromEntries(
    text
      .split(',')
      .map((pair) => pair.trim().split('='))
      .filter(([name = '', value = '']) => Object.hasOwn(FLAGS, name) && /^(true|false)$/.test(value))
      .map(([name = '', value]): [string, boolean] => [name, value === 'true']),
  );
}

/** Reads cookies and headers; invalid ones are ignored. Flags are the defaults. */
export function readVisitor(request: IncomingMessage, config: VisitorOptions, now: Date): Visitor {
  const cookies = parseCookie(request.headers.cookie ?? '');
  const brand = brandFor(request, cookies, config);
  const sid = cookies[sessionCookieName((request as { secure?: boolean }).secure ?? false)] ?? '';
  const isBot = isbot(request.headers['user-agent'] ?? '');
  const isTracked = !isBot && request.headers['sec-gpc'] !== '1';
  const pixallId = cookies[PIXALL_COOKIE] ?? '';
  const visitor = {
    id: UUID.test(sid) ? sid : randomUUID(),
    hidesAlpha: cookies[ALPHA_HIDDEN_COOKIE] === '1',
    channel: campaignChannel(cookies[CAMPAIGN_COOKIE]),
    pixallId: isTracked ? (UUID.test(pixallId) ? pixallId : randomUUID()) : undefined,
    needsPixallId: isTracked && !UUID.test(pixallId),
    session: {
      ...anonymousSession,
      brand,
      flags: resolveFlags(BRANDS[brand]),
      signedIn: cookies[SIGNED_IN_COOKIE] === 'true',
      isBot,
      visitorZip: normalizeZip(cookies[ZIP_COOKIE]) ?? null,
      today: now.toISOString().slice(0, 10),
      signInPath: config.SIGN_IN_PATH,
      ...(config.FIREBASE_WEB_APP && { firebase: config.FIREBASE_WEB_APP }),
    },
  } satisfies Omit<Visitor, keyof ReturnType<typeof derived>>;
  return { ...visitor, ...derived(visitor) };
}

/** The visitor with the flag service's values; a tester's overrides take precedence. */
export const withFlags = (
  visitor: Visitor,
  flags: Readonly<Record<keyof typeof FLAGS, boolean>>,
  overrides: Readonly<Partial<Record<keyof typeof FLAGS, boolean>>>,
): Visitor => ({
  ...visitor,
  session: {
    ...visitor.session,
    flags: resolveFlags(BRANDS[visitor.session.brand], { ...flags, ...overrides }),
  },
});

const CHANNELS: ReadonlySet<string> = new Set(
  Object.values(CAMPAIGN_CHANNELS).flatMap((codes) => Object.values(codes)),
);

/** The channel of an untrusted cookie; undefined unless it is in the table. */
const campaignChannel = (cookie: string | undefined): string | undefined =>
  cookie !== undefined && CHANNELS.has(cookie) ? cookie : undefined;

/** Port to the accounts, implemented with an encrypted cookie. */
export interface VisitorSessions {
  /** Whether the request has a session cookie, valid or not. Its pages are never shared. */
  readonly isPresent: (request: IncomingMessage) => boolean;
  /**
   * The id token for calls on the visitor's behalf; undefined if the visitor is not
   * signed in or the token cannot be renewed. Never rejects.
   * May add a renewed cookie to the response.
   */
  readonly idToken: (request: IncomingMessage, response: ServerResponse) => Promise<string | undefined>;
  /**
   * Name and email of the signed-in visitor, from the cookie alone; undefined for
   * others. Never rejects. May clear the cookies of an ended session.
   */
  readonly account: (
    request: IncomingMessage,
    response: ServerResponse,
  ) => Promise<NonNullable<SessionState['account']> | undefined>;
}

/** The visitor with the account's name. An expired session signs the visitor out. */
async function withAccount(
  visitor: Visitor,
  sessions: VisitorSessions,
  request: Request,
  response: ServerResponse,
): Promise<Visitor> {
  if (!sessions.isPresent(request)) return visitor;
  const account = await sessions.account(request, response);
  const session = { ...visitor.session, signedIn: account !== undefined, account: account ?? null };
  return { ...visitor, session, ...derived({ ...visitor, session }) };
}

/** How the marketplace recognizes visitors: cookies, sealed sessions, feature flags. */
export const createVisitors = (
  {
    sessions = noSessions,
    flags,
  }: { readonly sessions?: VisitorSessions | undefined; readonly flags?: FlagSource | undefined },
  options: VisitorOptions,
): Visitors => ({
  read: (request, now) => readVisitor(request, options, now),
  async resolve(given: Visitor, request, response) {
    const visitor = await withAccount(given, sessions, request, response);
    const { brand, signedIn, isBot } = visitor.session;
    const values = await flags?.flagsFor({ brand, signedIn, isBot, visitorId: visitor.id });
    return withFlags(visitor, values ?? FLAGS, flagOverrides(request, options));
  },
  hasSession: (request) => sessions.isPresent(request),
  idToken: (request, response) => sessions.idToken(request, response),
});

/** Without accounts. */
export const noSessions: VisitorSessions = {
  isPresent: () => false,
  idToken: () => Promise.resolve(undefined),
  account: () => Promise.resolve(undefined),
};
