import { join } from 'node:path';
import { createProcess, isRoot, RELEASE_HEAP } from '../sandbox.ts';
import { listenForShells } from './releaseHost.ts';

// The release host: the entry point of the container in which releases run. `node releaseHost.cjs SOCKET`
const [, , socket] = process.argv;
if (socket === undefined) {
  process.stderr.write('release-host: usage: releaseHost.cjs SOCKET\n');
  process.exit(1);
}
const program = join(__dirname, 'release.cjs');
const server = listenForShells(createProcess({ program, ...RELEASE_HEAP }, isRoot()), socket);
server.on('error', (error) => {
  process.stderr.write(`release-host: ${error.message}\n`);
  process.exit(1);
});
server.on('listening', () => process.stdout.write(`release-host: listening at ${socket}\n`));
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => process.exit(0));
