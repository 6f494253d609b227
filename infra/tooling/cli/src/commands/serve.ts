import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { LOCAL_MANIFEST_PATH } from '@forecourt/shared-contracts/slots/overridePaths';
import { releaseManifestSchema } from '@forecourt/shared-contracts/slots/release';
import { UsageError } from '../commandLine.ts';
import { MANIFEST_FILE } from '../release/format.ts';
import { type Command, rejectExtraArguments } from './command.ts';

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  svg: 'image/svg+xml',
};

/** Any shell's pages may read the build, uncached, also from a public page to this private network address. */
const HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Private-Network': 'true',
  'Cache-Control': 'no-store',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'X-Content-Type-Options': 'nosniff',
};

/** The bytes of a path, if it is the manifest or a file that it lists. */
async function readBuilt(directory: string, path: string): Promise<Buffer | undefined> {
  const manifestBytes = await readFile(join(directory, MANIFEST_FILE));
  if (path === LOCAL_MANIFEST_PATH) return manifestBytes;
  const { files } = releaseManifestSchema.parse(JSON.parse(manifestBytes.toString('utf8')));
  const name = path.slice(1);
  return Object.hasOwn(files, name) ? await readFile(join(directory, name)) : undefined;
}

/** Serves a built remote from disk on the loopback address, for overrides. */
export async function startBuildServer(
  directory: string,
  port: number,
): Promise<{ readonly origin: string; readonly close: () => Promise<void> }> {
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?', 1)[0] ?? '';
    if (request.method === 'OPTIONS') return void response.writeHead(204, HEADERS).end();
    readBuilt(directory, path).then(
      (bytes) => {
        const type = TYPES[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
        response.writeHead(bytes ? 200 : 404, { ...HEADERS, 'Content-Type': type }).end(bytes);
      },
      // During a rebuild there is no manifest.
      (error: unknown) => response.writeHead(503, HEADERS).end(String(error)),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** `serve DIRECTORY`: runs until interrupted. */
export const serve: Command = async ({ args, port }) => {
  const [directory, ...rest] = args;
  if (directory === undefined) throw new UsageError('serve needs the DIRECTORY of a built remote');
  rejectExtraArguments(rest);
  const { origin, close } = await startBuildServer(directory, port);
  process.stdout.write(`${directory} is served at ${origin}; stop with Ctrl-C\n`);
  await new Promise((resolve) => process.once('SIGINT', resolve).once('SIGTERM', resolve));
  await close();
  return { text: 'stopped', data: { origin } };
};
