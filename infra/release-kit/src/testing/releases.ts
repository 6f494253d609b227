import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { classTag } from '@forecourt/releases/ownNames';
import type { ReleaseManifest } from '@forecourt/releases/manifest';
import { integrityOf, MANIFEST_FILE } from '../releaseFiles.ts';

/** A small valid release: manifest and files by path. */
export interface SampleRelease {
  manifest: ReleaseManifest;
  files: Map<string, Buffer>;
}

/** Source of a container with the slot './panel'; `atLoad` runs when that is loaded. */
export const sampleContainer = (side: 'web' | 'node', atLoad = '', name = 'sample'): string => {
  const container = `
  let scope;
  const share = async (name) => (await Object.values(scope[name])[0].get())();
  module.exports = {
    init: (given) => { scope = given; },
    get: async () => {
      const { defineSlot } = await share('@forecourt/slots');
      ${atLoad}
      const panel = defineSlot({ reads: ['search.listings'], view: () => null });
      return () => ({ default: panel });
    },
  };`;
  return side === 'node'
    ? container
    : `var ${name.replaceAll('-', '_')} = ((module) => {${container}\nreturn module.exports; })({});`;
};

const defaultFiles = (name: string): Record<string, string> => ({
  'web/remoteEntry.js': `${sampleContainer('web', '', name)} // ${'web '.repeat(200)}\n`,
  'web/panel.css': `.panel-${classTag(name)} { color: canvastext; }\n`.repeat(20),
  'web/icon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'node/remoteEntry.js': `${sampleContainer('node')} // ${'node '.repeat(200)}\n`,
});

/** Builds a manifest that matches the files, so that a test states only what differs. */
export function sampleRelease(
  options: { name?: string; version?: string; files?: Record<string, string | Buffer> } = {},
): SampleRelease {
  const { name = 'sample', version = '1.0.0' } = options;
  const files = new Map(
    Object.entries({ ...defaultFiles(name), ...options.files }).map(([path, content]) => [
      path,
      Buffer.from(content),
    ]),
  );
  const manifest: ReleaseManifest = {
    schema: 1,
    name,
    version,
    contracts: { '@forecourt/slots': '1.0.0' },
    shared: { react: '^19.0.0' },
    entry: { web: 'web/remoteEntry.js', node: 'node/remoteEntry.js' },
    slots: {
      panel: {
        expose: './panel',
        reads: ['search.listings'],
        loads: false,
        scripts: [],
        styles: ['web/panel.css'],
      },
    },
    files: Object.fromEntries(
      [...files].map(([path, bytes]) => [path, { integrity: integrityOf(bytes), bytes: bytes.length }]),
    ),
  };
  return { manifest, files };
}

export const manifestBytesOf = ({ manifest }: SampleRelease): Buffer => Buffer.from(JSON.stringify(manifest));

/** An empty temporary directory; `remove` deletes it. */
export async function temporaryDirectory(): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'registry-test-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/** Writes a release in the layout of a build. */
export async function writeRelease(directory: string, release: SampleRelease): Promise<void> {
  for (const [path, bytes] of release.files) {
    const location = join(directory, path);
    await mkdir(dirname(location), { recursive: true });
    await writeFile(location, bytes);
  }
  await writeFile(join(directory, MANIFEST_FILE), manifestBytesOf(release));
}

/** A port on which nothing listens. */
export async function unusedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
