import { readdir } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pino } from 'pino';
import type { PointerChange } from '@forecourt/release-kit/registryResponses';
import { temporaryDirectory } from '@forecourt/release-kit/testing';
import { Credentials } from '../access/credentials.ts';
import { SigningKeys } from '../access/signingKeys.ts';
import { pointerEvent, TransparencyLog } from '../log/transparencyLog.ts';
import { PointerBoard } from '../pointers/pointerBoard.ts';
import { PointerWaits } from '../pointers/pointerWaits.ts';
import { openDatabaseFile, openLocalStorage, registryFolder } from '../storage/openStorage.ts';
import { createApp } from '../http/app.ts';
import type { AppDeps, AppOptions } from '../http/requests.ts';
import { createMetrics } from '../http/operations.ts';

/** A registry that listens on a free port over an empty data directory, for tests. */
export async function startTestRegistry(options: AppOptions = {}, more: Partial<AppDeps> = {}) {
  const data = await temporaryDirectory();
  const storage = await openLocalStorage(data.path);
  const waits = new PointerWaits();
  const log = await TransparencyLog.open(storage.log);
  const onChange = (change: PointerChange) => log.record(pointerEvent(change));
  const board = new PointerBoard({ ...storage, waits, onChange });
  const app = createApp(
    {
      ...storage,
      board,
      log,
      credentials: new Credentials(storage.access),
      keys: new SigningKeys(storage.access),
      metrics: createMetrics(() => waits.count),
      logger: pino({ level: 'silent' }),
      ...more,
    },
    { brotliQuality: 5, ...options },
  );
  const server: Server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    dataDir: data.path,
    storage,
    board,
    waits,
    stop: async () => {
      waits.close();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      await storage.close?.();
      await data.remove();
    },
  };
}
export type TestRegistry = Awaited<ReturnType<typeof startTestRegistry>>;

/** Runs a statement in the database of a registry, as an operator could. */
export function changeDatabase(
  { dataDir }: Pick<TestRegistry, 'dataDir'>,
  statement: string,
  ...values: readonly (string | number)[]
): void {
  const db = openDatabaseFile(dataDir);
  try {
    db.prepare(statement).run(...values);
  } finally {
    db.close();
  }
}

/** Path of a published file. */
export async function storedFile(
  { dataDir }: Pick<TestRegistry, 'dataDir'>,
  { name, version, path }: { readonly name: string; readonly version: string; readonly path: string },
): Promise<string> {
  const folder = join(registryFolder(dataDir), 'files', name, version);
  const [upload = ''] = await readdir(folder);
  return join(folder, upload, path);
}

/** Posts a JSON body and returns status and parsed response. */
export async function postJson(url: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}
