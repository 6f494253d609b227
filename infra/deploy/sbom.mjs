/**
 * Prints a bill of materials (CycloneDX 1.6) of the packages that npm has installed in the current folder: what each is, where
 * it comes from, and what depends on what. CycloneDX's own program reads `npm ls`; its errors are ignored, because an image
 * lacks development packages, and some optional peers have other versions. The hashes are those of the lockfile, which names no
 * addresses of downloads and therefore gives none to the program.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, 'sbom');
const program = join(folder, 'node_modules/@cyclonedx/cyclonedx-npm/bin/cyclonedx-npm-cli.js');
const run = (command, args, options) =>
  execFileSync(command, args, {
    encoding: 'utf8',
    maxBuffer: 1e8,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options,
  });
if (!existsSync(program))
  run('npm', ['ci', '--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund'], { cwd: folder });

const bom = JSON.parse(
  run(process.execPath, [
    program,
    ...['--ignore-npm-errors', '--flatten-components', '--output-reproducible'],
    ...['--spec-version', '1.6', '--output-format', 'JSON', '--output-file', '-'],
  ]),
);

/** `sha512-<base64>` as CycloneDX writes it. */
function hashOf(integrity) {
  const [algorithm, value] = integrity.split(' ')[0].split('-');
  return { alg: algorithm.replace('sha', 'SHA-'), content: Buffer.from(value, 'base64').toString('hex') };
}

const { packages } = JSON.parse(readFileSync('node_modules/.package-lock.json', 'utf8'));
const hashes = new Map();
for (const [path, { name, version, integrity }] of Object.entries(packages)) {
  const own = name ?? /.*node_modules\/(.+)$/.exec(path)?.[1];
  if (own !== undefined && integrity) hashes.set(`${own}@${version}`, hashOf(integrity));
}
for (const component of bom.components) {
  const { group, name, version } = component;
  const hash = hashes.get(`${group === undefined ? '' : `${group}/`}${name}@${version}`);
  if (hash) component.hashes = [hash];
}
process.stdout.write(`${JSON.stringify(bom, null, 2)}\n`);
