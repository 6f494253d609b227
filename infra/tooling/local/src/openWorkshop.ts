import { createServer } from 'node:http';
import { join } from 'node:path';
import { BuildNews, createApp, definePage } from '@forecourt/workshop';
import { LocalError } from './localError.ts';
import { REPOSITORY } from './repository.ts';
import { watchBuild } from './watchBuild.ts';

export interface OpenWorkshop {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves a remote alone, with its scenarios, and follows its changes: open
 * pages load themselves anew. Nothing else needs to run.
 * @throws LocalError PORT_TAKEN
 */
export async function openWorkshop(
  remote: string,
  options: { readonly dataDir: string; readonly port: number; readonly onError: (message: string) => void },
): Promise<OpenWorkshop> {
  const { dataDir, port, onError } = options;
  const files = join(dataDir, 'dev', `${remote}-alone`);
  const news = new BuildNews();
  const server = createServer(createApp({ remote, files, news }));
  await new Promise<void>((resolve, reject) => {
    server.once('error', () =>
      reject(
        new LocalError(
          'PORT_TAKEN',
          `Port ${port}, wanted by the page of ${remote} alone, cannot be used: choose another one, e.g. WORKSHOP_PORT=${port + 10}.`,
        ),
      ),
    );
    server.listen(port, '127.0.0.1', resolve);
  });
  const watch = watchBuild([definePage(join(REPOSITORY, remote), REPOSITORY, files)], {
    onError,
    onBuilt: async (stats) => news.publish(stats.hash),
  });
  await watch.first;
  return {
    url: `http://localhost:${port}`,
    async close() {
      await watch.close();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
