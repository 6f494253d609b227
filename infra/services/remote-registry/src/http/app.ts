import express, { type Express } from 'express';
import { requestLog } from '@forecourt/service-kit/requestLog';
import { NO_TRACING } from '@forecourt/service-kit/tracing';
import helmet from 'helmet';
import { type AppDeps, type AppOptions, authenticate, notFound, requires, sendError } from './requests.ts';
import {
  getCredentials,
  getKeys,
  getLog,
  getOwnCredential,
  getSignature,
  postCredential,
  postExchange,
  postKey,
  postKeyRemoval,
  postRevoke,
  postRotate,
  requiresLog,
} from './access.ts';
import {
  getCanary,
  getHolds,
  getStatus,
  getPointers,
  postCanary,
  postHold,
  postPointer,
  postPromote,
  postResume,
  postRollback,
} from './pointers.ts';
import { getHistory, getRemoteHistory } from './history.ts';
import { getLive, getMetrics, getReady, requestTimes } from './operations.ts';
import { getRelease, listReleases, listReleasesOfRemote, postGarbage, putRelease } from './releases.ts';
import { getRemoteFile } from './remoteFile.ts';
import { openApiRoutes } from './openApi.ts';
import { roomRoutes } from './room.ts';

/** The registry's HTTP API. Neither listens nor reads the environment. */
export function createApp(deps: AppDeps, options: AppOptions = {}): Express {
  const { tracing = NO_TRACING } = deps;
  const app = express();
  app.disable('x-powered-by');
  app.set('query parser', 'simple');
  app.enable('case sensitive routing');
  app.use(tracing.requests);
  app.use(requestLog(deps.logger, { ...tracing, success: 'debug' }), requestTimes(deps));
  // Except for the control room, the registry serves no documents; a response opened in a browser must not run scripts.
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
  app.use(openApiRoutes(options.isLocal ?? false));

  app.get('/api/pointers', getPointers(deps));
  app.get('/api/holds', getHolds(deps));
  app.get('/api/releases', listReleases(deps));
  app.get('/api/releases/:name', listReleasesOfRemote(deps));
  app.get('/api/releases/:name/:version', getRelease(deps));

  app.get('/api/releases/:name/:version/signature', getSignature(deps));
  app.get('/api/keys', getKeys(deps));
  app.get('/api/log', getLog(deps));

  app.get('/api/history', getHistory(deps));
  app.get('/api/remotes/:name/history', getRemoteHistory(deps));

  const identify = authenticate(deps, options);
  app.get('/api/remotes/:name/canary', identify, getCanary(deps));
  app.get('/api/status', identify, getStatus(deps));
  const isLogged = requiresLog(deps);
  // Any content type: ignoring a body because of its type could promote another version.
  const readJson = express.json({ limit: '16kb', type: () => true });
  const readBody = [isLogged, readJson];

  app.put('/api/releases/:name/:version', identify, requires('publish'), isLogged, putRelease(deps, options));
  // Who may move whole pointers or run canaries depends on the body, too. Ways back work without the log.
  app.post('/api/remotes/:name/pointer', identify, requires('promote'), readBody, postPointer(deps));
  app.post('/api/remotes/:name/canary', identify, requires('end-canary'), readJson, postCanary(deps));
  app.post('/api/remotes/:name/promote', identify, requires('promote'), readBody, postPromote(deps));
  app.post('/api/remotes/:name/rollback', identify, requires('rollback'), readJson, postRollback(deps));
  app.post('/api/remotes/:name/hold', identify, requires('promote'), readBody, postHold(deps));
  app.post('/api/remotes/:name/resume', identify, requires('promote'), readBody, postResume(deps));
  app.post('/api/gc', identify, requires('administer'), readBody, postGarbage(deps));

  app.post('/api/keys', identify, readBody, postKey(deps));
  app.post('/api/keys/:name/:keyId/remove', identify, readBody, postKeyRemoval(deps));
  app.get('/api/credentials', identify, getCredentials(deps));
  app.get('/api/credentials/self', identify, getOwnCredential);
  app.post('/api/credentials', identify, readBody, postCredential(deps));
  app.post('/api/credentials/exchange', readBody, postExchange(deps));
  app.post('/api/credentials/:credential/rotate', identify, readBody, postRotate(deps));
  app.post('/api/credentials/:credential/revoke', identify, readBody, postRevoke(deps));

  if (deps.room) app.use(roomRoutes(deps, deps.room, options));
  app.use(notFound, sendError);
  return app;
}
