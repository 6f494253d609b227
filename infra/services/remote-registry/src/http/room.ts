import express, { Router, type Request, type RequestHandler, type Response } from 'express';
import type { Caller } from '@forecourt/release-kit/credentials';
import { RegistryError } from '@forecourt/release-kit/registryError';
import { z } from 'zod';
import { readBoard, readCompatibility, readRelease } from '../room/roomBoard.ts';
import { ASSETS_PATH, type Room, type PeopleIssuer } from '../room/openRoom.ts';
import type { RoomBoard, RoomSession, ShellGateResult } from '../room/roomView.ts';
import { CALLBACK_PATH } from '../room/sessions.ts';
import { type AppDeps, type AppOptions, parseInput, releaseIdOf, toRegistryError } from './requests.ts';

/** s between two looks at the shells, while someone watches. */
const LOOK_SECONDS = 2;

/** Without a token, someone on this machine. */
const signInSchema = z.strictObject({ token: z.string().min(1).max(1000).optional() });

/** Allows scripts and styles of the page alone: not those of releases, which the same origin serves. */
function contentPolicy(origin: string): string {
  const assets = origin + ASSETS_PATH;
  return [
    "default-src 'none'",
    `script-src ${assets}`,
    `style-src ${assets}`,
    "connect-src 'self'",
    `frame-src ${origin}/room/api/`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}

/** Pictures of slots that are kept, each with up to 200,000 characters. */
const MAX_PICTURES = 100;

/**
 * What slots of gated releases look like. The shell's gate has rendered their HTML; the browser of whoever looks draws it, with
 * the release's styles, because neither the registry nor the shell has a browser. Nothing in it runs.
 */
function createPictures({ files, sessions }: Room, { releases }: AppDeps) {
  const pictures = new Map<string, string>();
  const keyOf = ({ name, version }: { readonly name: string; readonly version: string }, slot: string) =>
    `${name}@${version} ${slot}`;
  return {
    store(
      id: { readonly name: string; readonly version: string },
      gateResults: readonly ShellGateResult[],
    ): void {
      for (const { slot, html } of gateResults.flatMap(({ result }) => result?.renders ?? []))
        if (html !== undefined) {
          pictures.delete(keyOf(id, slot));
          pictures.set(keyOf(id, slot), html);
        }
      for (const key of pictures.keys()) if (pictures.size > MAX_PICTURES) pictures.delete(key);
    },
    send: (async (req, res) => {
      const id = releaseIdOf(req);
      const slot = String(req.params['slot']);
      const html = pictures.get(keyOf(id, slot));
      const manifest = (await releases.findRelease(id))?.manifest;
      if (html === undefined || !manifest) throw new RegistryError('NOT_FOUND', 'try the release first');
      const folder = `/remotes/${id.name}/${id.version}/`;
      const own = [...files.assets.keys()]
        .filter((name) => name.endsWith('.css'))
        .map((name) => ASSETS_PATH + name);
      const styles = [...own, ...(manifest.slots[slot]?.styles ?? []).map((path) => folder + path)];
      const origin = sessions.originOf(req);
      res.set({
        'Content-Security-Policy': `sandbox allow-same-origin; default-src 'none'; style-src ${origin}${ASSETS_PATH} ${origin}${folder}; style-src-attr 'unsafe-inline'; img-src data:; font-src ${origin}${folder}; base-uri 'none'; form-action 'none'; frame-ancestors ${origin}`,
        'Cache-Control': 'no-store',
      });
      const links = styles.map((path) => `<link rel="stylesheet" href="${path}">`).join('');
      res
        .type('html')
        .send(
          `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Slot</title>${links}</head><body inert>${html}</body></html>`,
        );
    }) satisfies RequestHandler,
  };
}

/** A board that is shared by everyone who watches; read again when it is old or a pointer has moved. */
function createBoardReader(deps: AppDeps, { shells }: Room) {
  let newest:
    | { readonly revision: number; readonly at: number; readonly board: Promise<RoomBoard> }
    | undefined;
  return (revision: number): Promise<RoomBoard> => {
    const now = Date.now();
    if (newest?.revision === revision && now - newest.at < (LOOK_SECONDS * 1000) / 2) return newest.board;
    newest = { revision, at: now, board: readBoard({ ...deps, shells }) };
    return newest.board;
  };
}

/** `GET /room/api/events`: the board as server-sent events, at once and whenever it changes, while the session lasts. */
function getEvents(
  deps: AppDeps,
  room: Room,
  { isAccepting = () => true }: AppOptions,
  mustBeSignedIn: (req: Request) => Promise<Caller>,
): RequestHandler {
  const readShared = createBoardReader(deps, room);
  return async (req, res) => {
    await mustBeSignedIn(req);
    const closed = new AbortController();
    res.once('close', () => closed.abort());
    res.set({ 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' }).flushHeaders();
    let sent = '';
    try {
      while (!closed.signal.aborted && isAccepting()) {
        await mustBeSignedIn(req);
        const { revision } = await deps.board.read();
        const board = JSON.stringify(await readShared(revision));
        res.write(board === sent ? ':\n\n' : `event: board\ndata: ${board}\n\n`);
        sent = board;
        await deps.board.readAfter(revision, LOOK_SECONDS, closed.signal);
      }
    } catch (error) {
      // The headers are sent: the page finds out why when it connects again.
      req.log.warn({ err: error }, 'the control room stopped watching');
    }
    res.end();
  };
}

function sendAsset({ files }: Room, req: Request, res: Response): void {
  const file = files.assets.get(String(req.params['file']));
  if (!file) throw new RegistryError('NOT_FOUND', `nothing at ${req.path}`);
  const isBrotli = req.acceptsEncodings(['br', 'identity']) === 'br';
  res.set({ 'Content-Type': file.type, 'Cache-Control': 'public, max-age=31536000, immutable' });
  res.vary('Accept-Encoding');
  if (isBrotli) res.set('Content-Encoding', 'br');
  res.end(isBrotli ? file.brotli : file.bytes);
}

/** Signing in at the issuer. Problems lead back to the page, which names them. */
function issuerRoutes({ sessions }: Room, issuer: PeopleIssuer): Router {
  const router = Router({ caseSensitive: true });
  const withProblem =
    (work: (req: Request, res: Response) => Promise<void>): RequestHandler =>
    async (req, res) => {
      res.set('Cache-Control', 'no-store');
      try {
        await work(req, res);
      } catch (error) {
        const { code } = toRegistryError(error);
        req.log.warn({ err: error, code }, 'sign-in to the control room failed');
        res.redirect(303, `/room?problem=${code}`);
      }
    };
  router.get(
    '/room/api/sign-in',
    withProblem(async (req, res) => {
      const { url, pending } = await issuer.begin(sessions.originOf(req) + CALLBACK_PATH);
      res.set('Set-Cookie', await sessions.keep(pending)).redirect(303, url);
    }),
  );
  router.get(
    CALLBACK_PATH,
    withProblem(async (req, res) => {
      const pending = await sessions.pending(req);
      if (!pending) throw new RegistryError('UNAUTHORIZED', 'this browser began no sign-in; start again');
      const callback = new URL(req.originalUrl, sessions.originOf(req));
      const { caller, cookies } = await sessions.beginAs(req, await issuer.finish(callback, pending));
      req.log.info({ by: caller.name }, 'signed in to the control room');
      res.set('Set-Cookie', [...cookies]).redirect(303, '/room');
    }),
  );
  return router;
}

/** The control room: its page, its session, and what it shows. Writes go to the API, with the session's cookie. */
export function roomRoutes(deps: AppDeps, room: Room, options: AppOptions): Router {
  const { sessions, shells, files, issuer } = room;
  const router = Router({ caseSensitive: true });
  const readJson = express.json({ limit: '4kb' });
  const pictures = createPictures(room, deps);

  async function mustBeSignedIn(req: Request): Promise<Caller> {
    const caller = await sessions.read(req);
    if (!caller) throw new RegistryError('UNAUTHORIZED', 'sign in to the control room first');
    return caller;
  }
  const signedIn: RequestHandler = async (req, res, next) => {
    await mustBeSignedIn(req);
    res.set('Cache-Control', 'no-store');
    next();
  };

  const sessionOf = (req: Request, caller: Caller | undefined): RoomSession => ({
    caller,
    isLocal: sessions.isLocalTo(req),
    hasIssuer: issuer !== undefined,
  });

  router.get('/room/api/session', async (req, res) => {
    // A session that is no longer accepted is none.
    const caller = await sessions.read(req).catch(() => undefined);
    res.set('Cache-Control', 'no-store').json(sessionOf(req, caller));
  });
  router.post('/room/api/session', readJson, async (req, res) => {
    const { token } = parseInput(signInSchema, req.body ?? {});
    const { caller, cookie } = await sessions.begin(req, token);
    req.log.info({ by: caller.name }, 'signed in to the control room');
    res.set({ 'Set-Cookie': cookie, 'Cache-Control': 'no-store' }).json(sessionOf(req, caller));
  });
  router.post('/room/api/session/end', (req, res) => {
    res
      .set({ 'Set-Cookie': sessions.end(req), 'Cache-Control': 'no-store' })
      .status(204)
      .end();
  });
  if (issuer) router.use(issuerRoutes(room, issuer));
  router.get('/room/api/events', getEvents(deps, room, options, mustBeSignedIn));
  router.get('/room/api/releases/:name/:version', signedIn, async (req, res) => {
    const id = releaseIdOf(req);
    const release = await readRelease({ ...deps, shells }, id);
    if (!release) throw new RegistryError('UNKNOWN_RELEASE', `${id.name}@${id.version} is not published`);
    res.json(release);
  });
  router.get('/room/api/compatibility', signedIn, async (_req, res) => {
    res.json(await readCompatibility({ ...deps, shells }));
  });
  router.post('/room/api/releases/:name/:version/gate', signedIn, async (req, res) => {
    const id = releaseIdOf(req);
    const gateResults = await shells.gate(id);
    pictures.store(id, gateResults);
    // The page gets the pictures as documents of their own.
    const withoutHtml = JSON.stringify({ gateResults }, (key, value: unknown) =>
      key === 'html' ? true : value,
    );
    res.type('json').send(withoutHtml);
  });
  router.get('/room/api/releases/:name/:version/pictures/:slot', signedIn, pictures.send);

  router.get(`${ASSETS_PATH}:file`, (req, res) => sendAsset(room, req, res));
  router.get(['/room', '/room/*path'], (req, res, next) => {
    if (req.path.startsWith('/room/api/') || req.path.startsWith(ASSETS_PATH)) return next();
    const policy = contentPolicy(sessions.originOf(req));
    res.set({ 'Content-Security-Policy': policy, 'Cache-Control': 'no-cache' }).type('html').send(files.html);
  });
  return router;
}
