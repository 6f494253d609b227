import { createHash } from 'node:crypto';
import { Router, urlencoded, type RequestHandler } from 'express';
import { rateLimit } from 'express-rate-limit';
import { openPool } from '@forecourt/service-kit/pool';
import type { RateLimits } from '@forecourt/service-kit/rateLimits';
import type pg from 'pg';
import { z } from 'zod';
import { perMinute } from '../../engine/http/clientLimits.ts';
import { IssuerError, type Issuer, type IssuerErrorCode, type LogoutToken } from './issuer.ts';
import { LOGOUT_TOKEN_SECONDS } from './openIdIssuer.ts';
import { LIFETIME_SECONDS, type AccountSession } from './sealedCookies.ts';

type SessionName = Pick<AccountSession, 'sid' | 'subject' | 'signedInAt'>;

/** Where the issuer sends logout tokens. */
export const LOGOUT_PATH = '/account/back-channel-logout';

/** Port: sessions that the issuer has ended by logout tokens. Rejects while the store is unavailable. */
export interface EndedSessions {
  /** Ends the sessions that a token names. False if the token was used before. */
  end: (token: LogoutToken) => Promise<boolean>;
  readonly has: (session: SessionName) => Promise<boolean>;
  readonly close: () => Promise<void>;
}

/** ms for which an ended session is remembered: no cookie of it is accepted for longer. */
const KEPT_MS = LIFETIME_SECONDS * 1000;
/** ms for which a token could be sent again. */
const REPLAY_MS = (LOGOUT_TOKEN_SECONDS.maxAge + 2 * LOGOUT_TOKEN_SECONDS.tolerance) * 1000;
/** Sessions and tokens in memory; the oldest are forgotten first. */
const MAX_ENDED = 100_000;
const SWEEP_MS = 3_600_000;
/** ms for a connection and for a statement: pages wait for them. */
const TIMEOUT_MS = 2_000;
/** ms without a query after one that failed. */
const COOLDOWN_MS = 1_000;

const keyOf = (kind: 'sid' | 'sub' | 'jti', value: string): string =>
  createHash('sha256').update(`${kind} ${value}`).digest('base64url');
/** A token that names both ends the session only. */
const targetOf = ({ sid, subject = '' }: LogoutToken): string =>
  sid === undefined ? keyOf('sub', subject) : keyOf('sid', sid);

/** Ended sessions of one process, until it restarts. */
export function createEndedSessions(now: () => number = Date.now): EndedSessions {
  /** In order of their end. */
  const ended = new Map<string, { readonly at: number; readonly until: number }>();
  const set = (key: string, keptMs: number) => {
    ended.delete(key);
    ended.set(key, { at: now(), until: now() + keptMs });
    for (const oldest of ended.keys()) {
      if (ended.size <= MAX_ENDED) break;
      ended.delete(oldest);
    }
  };
  const find = (key: string) => {
    const entry = ended.get(key);
    return entry && entry.until > now() ? entry : undefined;
  };
  return {
    end(token) {
      const used = keyOf('jti', token.id);
      if (find(used)) return Promise.resolve(false);
      set(used, REPLAY_MS);
      set(targetOf(token), KEPT_MS);
      return Promise.resolve(true);
    },
    has({ sid, subject, signedInAt }) {
      const account = find(keyOf('sub', subject));
      const isEnded = sid !== undefined && find(keyOf('sid', sid)) !== undefined;
      return Promise.resolve(isEnded || (account !== undefined && account.at >= signedInAt));
    },
    close: () => Promise.resolve(),
  };
}

/** Replicas that start at the same time create the table one after the other. */
const CREATE = `
  SELECT pg_advisory_xact_lock(4173220703);
  CREATE SCHEMA IF NOT EXISTS shell;
  CREATE TABLE IF NOT EXISTS shell.ended_session (key TEXT PRIMARY KEY, at BIGINT NOT NULL, until BIGINT NOT NULL);
  CREATE INDEX IF NOT EXISTS ended_session_until ON shell.ended_session (until);`;
/** One statement, so that a token is used up only with its effect. */
const END = `
  WITH fresh AS (
    INSERT INTO shell.ended_session (key, at, until) VALUES ($1, $3, $4) ON CONFLICT (key) DO NOTHING RETURNING 1)
  INSERT INTO shell.ended_session (key, at, until) SELECT $2, $3, $5 FROM fresh
  ON CONFLICT (key) DO UPDATE SET at = excluded.at, until = excluded.until`;
const HAS = `
  SELECT 1 FROM shell.ended_session
  WHERE (key = $1 OR (key = $2 AND at >= $3)) AND until > $4 LIMIT 1`;

/** Ended sessions of all shells, in a table of PostgreSQL, which the first one creates. */
export function createSharedEndedSessions(url: string, now: () => number = Date.now): EndedSessions {
  let opening: Promise<pg.Pool> | undefined;
  let sweptAt = 0;
  let retryAt = 0;

  async function open(): Promise<pg.Pool> {
    const pool = await openPool({
      url,
      maxConnections: 1,
      connectMs: TIMEOUT_MS,
      statementMs: TIMEOUT_MS,
      responseMs: TIMEOUT_MS,
    });
    try {
      const { rows } = await pool.query<{ found: boolean }>(
        `SELECT to_regclass('shell.ended_session') IS NOT NULL AS found`,
      );
      if (!rows[0]?.found) await pool.query(CREATE);
    } catch (error) {
      opening = undefined;
      await pool.end();
      throw error;
    }
    return pool;
  }
  /** The number of rows. After a failure it rejects at once for a while, so that pages don't wait for each attempt. */
  async function run(text: string, values: readonly (string | number)[]): Promise<number | null> {
    if (now() < retryAt) throw new Error('ended sessions were unavailable a moment ago');
    try {
      return (await (await (opening ??= open())).query(text, [...values])).rowCount;
    } catch (error) {
      retryAt = now() + COOLDOWN_MS;
      throw error;
    }
  }

  return {
    async end(token) {
      const at = now();
      if (at - sweptAt >= SWEEP_MS) {
        sweptAt = at;
        await run('DELETE FROM shell.ended_session WHERE until <= $1', [at]);
      }
      const keys = [keyOf('jti', token.id), targetOf(token)];
      return (await run(END, [...keys, at, at + REPLAY_MS, at + KEPT_MS])) === 1;
    },
    async has({ sid, subject, signedInAt }) {
      const keys = [sid === undefined ? '' : keyOf('sid', sid), keyOf('sub', subject)];
      return (await run(HAS, [...keys, signedInAt, now()])) === 1;
    },
    close: async () => void (await (await opening)?.end()),
  };
}

/** Ended sessions of all shells that use the database, or without one of this process. */
export const openEndedSessions = (url: string | undefined): EndedSessions =>
  url === undefined ? createEndedSessions() : createSharedEndedSessions(url);

const bodySchema = z.object({ logout_token: z.string().min(1) });

interface LogoutDeps {
  readonly issuer: Pick<Issuer, 'readLogoutToken'>;
  readonly ended: EndedSessions;
  readonly limits: RateLimits;
  readonly count: (outcome: IssuerErrorCode | 'OK' | 'REPLAYED') => void;
  readonly log: (event: { event: string; code: string; message: string }) => void;
}

/** Receives logout tokens of the issuer (OpenID Connect Back-Channel Logout 1.0, 2.5 to 2.8). */
export function backChannelLogout({ issuer, ended, limits, count, log }: LogoutDeps): Router {
  /** Whether the token was new. @throws IssuerError */
  async function accept(body: unknown): Promise<boolean> {
    const { data } = bodySchema.safeParse(body);
    if (!data) throw new IssuerError('REFUSED', 'the request has no logout token');
    const token = await issuer.readLogoutToken(data.logout_token);
    return ended.end(token).catch((cause: unknown) => {
      throw new IssuerError('UNAVAILABLE', 'ended sessions cannot be stored', { cause });
    });
  }
  const handle: RequestHandler = async (request, response) => {
    response.set('Cache-Control', 'no-store');
    try {
      const isNew = await accept(request.body);
      count(isNew ? 'OK' : 'REPLAYED');
      if (isNew) response.status(200).end();
      else response.status(400).json({ error: 'invalid_request' });
    } catch (error) {
      if (!(error instanceof IssuerError)) throw error;
      const { code, message } = error;
      count(code);
      log({ event: 'logout-token-refused', code, message });
      // The issuer may try again after 503.
      if (code === 'UNAVAILABLE') response.status(503).json({ error: 'temporarily_unavailable' });
      else response.status(400).json({ error: 'invalid_request' });
    }
  };
  const router = Router();
  const form = urlencoded({ extended: false, limit: '16kb' });
  router.post(LOGOUT_PATH, rateLimit(perMinute(limits, 'logouts')), form, handle);
  return router;
}
