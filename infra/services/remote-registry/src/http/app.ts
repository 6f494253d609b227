import express, { type Express, type RequestHandler } from 'express';
import helmet from 'helmet';
import { releaseAccess } from '@forecourt/shared-contracts/slots/access';
import { RegistryError } from '@forecourt/cli/release';
import {
  getHistory,
  getPointers,
  getRemoteHistory,
  postCanary,
  postPointer,
  postPromote,
  postRollback,
} from './pointers.ts';
import { type AppDeps, type AppOptions, notFound, sendError } from './requests.ts';
import { getRelease, listReleases, listReleasesOfRemote, postGarbage, putRelease } from './releases.ts';
import { getLive, getMetrics, getReady, requestLog, requestTimes } from './operations.ts';
import { getOpenApi } from './openApi.ts';
import { getRemoteFile } from './remoteFile.get.ts';

/** The registry's HTTP API. Neither listens nor reads the environment. */
export function createApp(deps: AppDeps, options: AppOptions = {}): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('query parser', 'simple');
  app.enable('case sensitive routing');
  app.use(requestLog(deps), requestTimes(deps));
  // Nothing here is a document; a response opened in a browser must not run.
  app.use(
    helmet({
      contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], sandbox: [] } },
      strictTransportSecurity: false,
    }),
  );

  app.get('/remotes/:name/:version/*path', getRemoteFile(deps));

  app.get('/health/live', getLive);
  app.get('/health/ready', getReady(deps, options));
  app.get('/metrics', getMetrics(deps));
  app.get('/openapi.json', getOpenApi());

  app.get('/api/pointers', getPointers(deps));
  app.get('/api/releases', listReleases(deps));
  app.get('/api/releases/:name', listReleasesOfRemote(deps));
  app.get('/api/releases/:name/:version', getRelease(deps));

  app.get('/api/history', getHistory(deps));
  app.get('/api/remotes/:name/history', getRemoteHistory(deps));

  const mayWrite = writeAccess(options.token);
  // Any content type: ignoring a body because of its type could promote another version.
  const readJson = express.json({ limit: '16kb', type: () => true });
  app.put('/api/releases/:name/:version', mayWrite, putRelease(deps, options));
  app.post('/api/remotes/:name/pointer', mayWrite, readJson, postPointer(deps));
  app.post('/api/remotes/:name/canary', mayWrite, readJson, postCanary(deps));
  app.post('/api/remotes/:name/promote', mayWrite, readJson, postPromote(deps));
  app.post('/api/remotes/:name/rollback', mayWrite, readJson, postRollback(deps));
  app.post('/api/gc', mayWrite, readJson, postGarbage(deps));

  app.use(notFound, sendError);
  return app;
}

/** Restricts writes to callers with the token or, without one (local mode), to programs on this machine. */
function writeAccess(token: string | undefined): RequestHandler {
  const mayWrite = releaseAccess(token);
  return (req, res, next) => {
    if (mayWrite(req)) return next();
    if (token === undefined)
      return next(
        new RegistryError(
          'WRITE_REFUSED',
          'without a token, only local programs may write, no browser and no proxy',
        ),
      );
    res.setHeader('WWW-Authenticate', 'Bearer realm="registry"');
    return next(new RegistryError('UNAUTHORIZED', 'writing needs the registry token as a bearer token'));
  };
}
