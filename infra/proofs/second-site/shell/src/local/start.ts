import { resolve } from 'node:path';
import { describeFailure, REPOSITORY, startSite } from '@forecourt/local';

const SITE = 'infra/proofs/second-site';
const { DATA_DIR = '.data/library', PORT } = process.env;

const library = await startSite({
  dataDir: resolve(REPOSITORY, DATA_DIR),
  shell: `${SITE}/shell`,
  remotes: [`${SITE}/mfe-catalog`, `${SITE}/mfe-desk`],
  upstream: { script: `${SITE}/shell/src/local/upstream.ts`, urlKey: 'LIBRARY_API_URL' },
  port: PORT === undefined ? undefined : Number(PORT),
}).catch((error: unknown) => {
  process.stderr.write(`${describeFailure(error)}\n`);
  process.exit(1);
});
// A parent that ends takes the site with it.
for (const signal of ['SIGINT', 'SIGTERM', 'disconnect'])
  process.once(signal, () => void library.stop().then(() => process.exit()));
process.stdout.write(`City Library: ${library.shell}/library/books, registry: ${library.registry}\n`);
