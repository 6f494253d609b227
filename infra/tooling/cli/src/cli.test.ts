import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { className } from '@forecourt/build/loadTsx';
import { SHELL_OWNER } from '@forecourt/releases/ownNames';
import { buildListing, buildOwner, buildState } from '@forecourt/search/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { unusedPort } from '@forecourt/release-kit/testing';

const REPOSITORY = fileURLToPath(new URL('../../../..', import.meta.url));
const PAGE = join(REPOSITORY, 'infra/docs/remote-in-its-own-repository.md');

/** The folders that the commands of the page use, copied so that packing never changes the working tree. */
const COPIED = [
  'package.json',
  'tsconfig.json',
  '.npmrc',
  'shared-contracts',
  'infra/tooling/build',
  'infra/tooling/cli',
  'infra/release-kit',
  'mfe-showcase',
];

const PACKAGES = [
  ...['releases', 'slots', 'upstream', 'search'].map((name) => `shared-contracts/${name}`),
  'infra/tooling/build',
  'infra/tooling/cli',
  'infra/release-kit',
];

/** ms for all commands of the page, on a machine that is several times slower than it should be. */
const SCRIPT_MS = 600_000;

let folder: string;
let sourcesBefore: string[];
let registry: ChildProcess;
let registryUrl = '';
let commands: ChildProcess | undefined;

/** This environment without what `npm test` adds to it: the inner npm would install into this repository. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([key]) => !/^(?:npm_(?!config_(?:registry|cache|userconfig)$)|NODE_OPTIONS$|NODE_ENV$|JEST_)/i.test(key),
  );
  return {
    ...Object.fromEntries(inherited),
    PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
    npm_config_prefer_offline: 'true',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
    // A connection that stalls costs a minute instead of five, and a refused one is not tried again for a minute.
    npm_config_fetch_timeout: '60000',
    npm_config_fetch_retry_mintimeout: '1000',
    npm_config_fetch_retry_maxtimeout: '5000',
    REGISTRY_URL: registryUrl,
  };
}

/** The installation asks the npm registry for what the lock file of this repository does not name. */
const hasNpm =
  spawnSync('npm', ['view', 'react', 'version', '--fetch-retries=0', '--prefer-online'], {
    env: cleanEnvironment(),
  }).status === 0;
if (!hasNpm) it.skip('skipped: the npm registry does not respond', () => undefined);

/** Starts a registry on a free port; resolves with its URL. */
async function startRegistry(): Promise<string> {
  registry = spawn(process.execPath, [join(REPOSITORY, 'infra/services/remote-registry/src/server.ts')], {
    env: {
      PATH: process.env['PATH'],
      REGISTRY_PORT: '0',
      DATA_DIR: join(folder, 'data'),
      LOCAL_MODE: 'true',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  for await (const chunk of registry.stdout!) {
    output += String(chunk);
    const port = /"port":(\d+)/.exec(output)?.[1];
    if (port !== undefined) return `http://127.0.0.1:${port}`;
  }
  throw new Error(`the registry did not start: ${output}`);
}

const readSource = (path: string): string =>
  readFileSync(join(folder, 'forecourt', path, 'package.json'), 'utf8');

/** The commands of all shell blocks, in order. */
const commandsOf = (markdown: string): string =>
  [...markdown.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, commands]) => commands).join('');

const runScript = (script: string, cwd: string): Promise<{ status: number | null; output: string }> =>
  new Promise((resolve, reject) => {
    // A process group of its own, so that a timeout also ends what npm started.
    const child = spawn('sh', ['-eux', '-c', script], { cwd, env: cleanEnvironment(), detached: true });
    commands = child;
    // Before the test's own timeout, so that what was printed until then is reported.
    const timer = setTimeout(() => process.kill(-child.pid!), SCRIPT_MS);
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.once('error', reject);
    child.once('close', (status) => {
      clearTimeout(timer);
      commands = undefined;
      resolve({ status, output });
    });
  });

/** A shell in local mode that has one page with the showcase, and takes each build. */
async function startFakeShell(): Promise<{ readonly server: Server; readonly url: string }> {
  const listings = ['1', '2', '3'].map((id) => buildListing({ id, title: `Vehicle ${id}` }));
  const ownerBean = buildOwner({ id: 'ace', name: 'Ace Ford' });
  const { search, ...state } = buildState({
    alpha: { alphaShowcase: { isAlpha: true, listings }, ownerBean },
  });
  const remote = { name: 'mfe-showcase', version: '0.9.0', integrity: {} };
  const slots = [{ slot: 'showcase', remote: remote.name, rendered: 'release', styles: [] }];
  const extension = { name: 'tester', data: { followsBuilds: true } };
  const boot = { state, content: { search, data: {} }, slots, remotes: [remote], extension };
  const page = `<div id="slot-showcase" data-slot="showcase">live</div><script type="application/json" id="fc-boot">${JSON.stringify(boot).replaceAll('<', '\\u003c')}</script>`;
  const server = createServer((request, response) => {
    if (request.method !== 'POST') return response.setHeader('content-type', 'text/html').end(page);
    if (!request.url?.includes('local-build'))
      return response.writeHead(303, { 'set-cookie': 'overrides=token; Path=/', location: '/' }).end();
    return response.setHeader('content-type', 'application/json').end(JSON.stringify({ remote, slots }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

(hasNpm ? describe : describe.skip)('a remote in its own repository', () => {
  beforeAll(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'forecourt-own-')));
    const copy = join(folder, 'forecourt');
    for (const path of COPIED)
      cpSync(join(REPOSITORY, path), join(copy, path), {
        recursive: true,
        filter: (source) => !/[\\/](?:dist|node_modules|\.cache)$/.test(source),
      });
    symlinkSync(join(REPOSITORY, 'node_modules'), join(copy, 'node_modules'), 'junction');
    sourcesBefore = PACKAGES.map(readSource);
    registryUrl = await startRegistry();
  });
  afterAll(() => {
    if (commands?.pid !== undefined) process.kill(-commands.pid);
    registry.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  it(
    'builds a remote in its own repository, passes its tests and the gate, and deploys it as documented',
    async () => {
      const script = commandsOf(readFileSync(PAGE, 'utf8'));
      const { status, output } = await runScript(script, join(folder, 'forecourt'));
      if (status !== 0) throw new Error(output);

      expect(output).toMatch(/^Tests: +\d+ passed, \d+ total$/m);
      expect(output).toContain('mfe-showcase@1.0.0 is accepted');
      expect(output).toContain('published mfe-showcase@1.0.0');

      const { remotes } = (await (await fetch(`${registryUrl}/api/pointers`)).json()) as {
        remotes: Record<string, { live: string }>;
      };
      expect(remotes['mfe-showcase']?.live).toBe('1.0.0');
      const entry = await fetch(`${registryUrl}/remotes/mfe-showcase/1.0.0/web/remoteEntry.js`);
      expect(await entry.text()).toBe(
        readFileSync(join(folder, 'mfe-showcase/dist/web/remoteEntry.js'), 'utf8'),
      );

      // The packages are self-contained: no TypeScript source and no path of this repository.
      const contract = join(folder, 'mfe-showcase/node_modules/@forecourt/slots/package.json');
      expect(readFileSync(contract, 'utf8')).not.toMatch(/\.\/src\/|\.\.\//);
    },
    SCRIPT_MS + 30_000,
  );

  it('shows the remote in the pages of a shell, rendered by the installed packages', async () => {
    const shell = await startFakeShell();
    const port = await unusedPort();
    const forecourt = join(folder, 'mfe-showcase/node_modules/.bin/forecourt');
    const words = ['dev', '--shell', shell.url, '--port', String(port)];
    commands = spawn(process.execPath, [realpathSync(forecourt), ...words], {
      cwd: join(folder, 'mfe-showcase'),
      env: cleanEnvironment(),
      detached: true,
    });
    try {
      let output = '';
      const shown = new Promise<void>((resolve, reject) => {
        for (const stream of [commands!.stdout!, commands!.stderr!])
          stream.on('data', (chunk: Buffer) => {
            output += chunk.toString();
            if (output.includes('is shown')) resolve();
          });
        commands!.once('exit', () => reject(new Error(output)));
      });
      await shown;
      // The build that the documentation publishes next.
      const published = readFileSync(join(folder, 'mfe-showcase/dist/release.json'), 'utf8');
      expect(JSON.parse(published)).toMatchObject({ version: '1.0.0' });
      const html = await (await fetch(`http://localhost:${port}/page`)).text();
      expect(html).toMatch(
        /<div id="slot-showcase" data-slot="showcase"><div [^]*aria-label="Sponsored: Ace Ford"[^]*Vehicle 1/,
      );
      // As the shell's build names it, which has the contract at another path.
      const icon = join(REPOSITORY, 'shared-contracts/slots/src/ui/Icon.module.css');
      expect(html).toContain(`<span class="${className(SHELL_OWNER, REPOSITORY, icon, 'icon')}`);
    } finally {
      const ended = new Promise((resolve) => commands?.once('exit', resolve));
      process.kill(-commands.pid!, 'SIGINT');
      await ended;
      commands = undefined;
      shell.server.closeAllConnections();
      shell.server.close();
    }
  }, 120_000);

  it('leaves the source package.json unchanged after packing', () => {
    expect(PACKAGES.map(readSource)).toEqual(sourcesBefore);
    expect(sourcesBefore.join()).toContain('./src/');
  });
});
