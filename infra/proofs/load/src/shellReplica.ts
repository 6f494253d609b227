import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, type Service, type Stack, startService } from '@forecourt/local';

export interface ShellReplica {
  readonly url: string;
  readonly port: number;
  readonly service: () => Service;
  /** Starts it anew on its port; resolves when it is ready. It must have ended. */
  readonly start: () => Promise<void>;
}

/**
 * One more shell beside a stack's own: the same upstream, registry and issuer.
 * `dataDir` is where it keeps its releases, and nothing else: it may be full. `onEnd` hears how to end all of it.
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
        NODE_OPTIONS: '',
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
