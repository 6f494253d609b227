/**
 * Prints a bill of materials (CycloneDX 1.5) of the packages that npm has installed in the current folder, from
 * `node_modules/.package-lock.json`. Not `npm sbom`: with `--omit=dev` it drops production packages that another workspace
 * has as a development dependency, and it fails for an optional peer of another version.
 */
import { readFileSync } from 'node:fs';

const { name, version, packages } = JSON.parse(readFileSync('node_modules/.package-lock.json', 'utf8'));

/** `sha512-<base64>` as CycloneDX writes it. */
function hashOf(integrity) {
  const [algorithm, value] = integrity.split(' ')[0].split('-');
  return { alg: algorithm.replace('sha', 'SHA-'), content: Buffer.from(value, 'base64').toString('hex') };
}

const components = new Map();
for (const [path, installed] of Object.entries(packages)) {
  const [, own] = /.*node_modules\/(.+)$/.exec(path) ?? [];
  // Workspaces are links, and their folders have no integrity.
  if (own === undefined || installed.link || !installed.integrity) continue;
  const packageName = installed.name ?? own;
  const purl = `pkg:npm/${packageName.replace('@', '%40')}@${installed.version}`;
  components.set(purl, {
    type: 'library',
    'bom-ref': purl,
    name: packageName,
    version: installed.version,
    purl,
    hashes: [hashOf(installed.integrity)],
    ...(installed.license && { licenses: [{ license: { name: installed.license } }] }),
  });
}

process.stdout.write(
  `${JSON.stringify(
    {
      bomFormat: 'CycloneDX',
      specVersion: '1.5',
      version: 1,
      metadata: { component: { type: 'application', name, ...(version && { version }) } },
      components: [...components.values()].sort((a, b) => (a.purl < b.purl ? -1 : 1)),
    },
    null,
    2,
  )}\n`,
);
