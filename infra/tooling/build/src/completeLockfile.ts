import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addMissingPlatforms, type Lockfile } from './platformPackages.ts';

// `npm run lockfile` after each change of dependencies; `npm run lockfile -- --check` in the tests.
const file = resolve(fileURLToPath(new URL('../../../../package-lock.json', import.meta.url)));
const before = readFileSync(file, 'utf8');
const { lockfile, added } = addMissingPlatforms(JSON.parse(before) as Lockfile);

if (added.length === 0) {
  process.stdout.write('package-lock.json: complete for every platform\n');
} else if (process.argv.includes('--check')) {
  process.stderr.write(
    `package-lock.json: ${added.length} platform packages are missing, ${added[0]} for one; run \`npm run lockfile\` and commit the file\n`,
  );
  process.exitCode = 1;
} else {
  writeFileSync(file, `${JSON.stringify(lockfile, null, 2)}\n`);
  process.stdout.write(`package-lock.json: ${added.length} platform packages added\n`);
}
