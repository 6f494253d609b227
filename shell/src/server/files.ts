import type { Request, RequestHandler, Response } from 'express';
import type { ShellAssets } from '../page/assets.ts';
import { SHELL_FILES } from '../page/assets.ts';
import { createCompressedSender } from './compressOnce.ts';
import type { ShellDeps } from './deps.ts';
import { sendError } from './errors.ts';
import { infoOf } from './requestContext.ts';

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  json: 'application/json; charset=utf-8',
};
const typeOf = (path: string): string =>
  TYPES[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream';

/** Sends immutable files. */
function createFileSender() {
  const send = createCompressedSender();
  return (request: Request, response: Response, path: string, bytes: Buffer) => {
    response.set({
      'Cache-Control': 'public, max-age=31536000, immutable',
      'Content-Type': typeOf(path),
      'Access-Control-Allow-Origin': '*',
      'Cross-Origin-Resource-Policy': 'cross-origin',
    });
    return send(request, response, bytes);
  };
}

/** `/assets/{build}/{file}`: the shell's own files. */
export function shellFiles({ files, build }: ShellAssets): RequestHandler {
  const send = createFileSender();
  return async (request, response) => {
    const [hash, name = ''] = request.path.slice(SHELL_FILES.length + 1).split('/');
    const bytes = hash === build ? files.get(name) : undefined;
    if (!bytes) return sendError(response, 404, 'NOT_FOUND', 'no such file', infoOf(request).requestId);
    return send(request, response, name, bytes);
  };
}

/**
 * `/remotes/{name}/{version}/web/…`: files of releases on the page's own
 * origin, from the verified copies which pages are composed of. They go on
 * being served while the registry is away. Those of other releases, which open
 * tabs may still load from, come from the archive.
 */
export function releaseFiles({
  releases,
  archive,
}: Pick<ShellDeps, 'archive'> & {
  readonly releases: Pick<ShellDeps['releases'], 'find'>;
}): RequestHandler {
  const send = createFileSender();
  return async (request, response) => {
    const [, , name = '', version = '', ...rest] = request.path.split('/');
    const path = rest.join('/');
    const bytes =
      releases.find(name, version)?.webFiles.get(path) ?? (await archive?.file(name, version, path));
    if (!bytes) return sendError(response, 404, 'NOT_FOUND', 'no such file', infoOf(request).requestId);
    return send(request, response, path, bytes);
  };
}
