import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, type Service, type Stack, startService } from '@forecourt/local';

export interface ShellReplica {
  readonly url: string;
  readonly port: number;
  readonly service: () => Service;
  /** Starts it again on the same port after it has stopped; resolves when it is ready. */
  readonly start: () => Promise<void>;
}

/**
 * Starts another shell with the upstream, registry and issuer of a stack. `dataDir` holds only its releases, so that a
 * proof can fill that disk. `onEnd` receives the cleanup steps.
 */
export async function startReplica(
  stack: Stack,
  dataDir: string,
  environment: Readonly<Record<string, string>>,
  onEnd: (step: () => Promise<void> | void) => void,
): Promise<ShellReplica> {
  const port = await freePort();
  const logDir = mkdtempSync(join(tmpdir(), 'forecourt-logs-'));
  onEnd(() => rmSync(logDir, { recursive: true, force: true }));
  let service: Service | undefined;
  const start = async () => {
    service = startService({
      name: 'shell',
      folder: 'shell',
      script: 'dist/server/server.cjs',
      port,
      logDir,
      environment: {
        NODE_ENV: 'production',
        HOST: '127.0.0.1',
        MARKETPLACE_API_URL: stack.urls['marketplace-api'],
        REGISTRY_URL: stack.urls['remote-registry'],
        OIDC_ISSUER: stack.urls.identity,
        DATA_DIR: dataDir,
        ...environment,
        PORT: String(port),
      },
    });
    await service.ready();
  };
  onEnd(() => service?.stop());
  await start();
  return { url: `http://127.0.0.1:${port}`, port, service: () => service as Service, start };
}
