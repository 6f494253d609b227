import { parseArgs } from 'node:util';
import { buildAll, builtPackages } from '../buildAll.ts';
import { LocalError } from '../repository.ts';
import { onStopRequest } from '../runTool.ts';

// `npm run build [-- FOLDER…]`: builds the packages whose sources changed; by default all that have a build.
const stopping = new AbortController();
onStopRequest(() => stopping.abort());

try {
  const { positionals: packages } = parseArgs({ allowPositionals: true });
  const unknown = packages.find((name) => !builtPackages().includes(name));
  if (unknown !== undefined)
    throw new LocalError(
      'CONFIGURATION_INVALID',
      `Unknown package '${unknown}'. Choose from ${builtPackages().join(', ')}.`,
    );
  await buildAll({
    ...(packages.length > 0 && { packages }),
    signal: stopping.signal,
    onPackage: (name, done, total) => process.stdout.write(`built ${name} (${done} of ${total})\n`),
  });
} catch (error) {
  if (!(error instanceof LocalError)) throw error;
  process.stderr.write(`${error.code}: ${error.message}\n`);
  process.exitCode = 1;
}
process.exit();
