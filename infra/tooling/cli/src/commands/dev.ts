import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { networkInterfaces, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ReleaseManifest } from '@forecourt/releases/manifest';
import encodeQR from 'qr';
import { z } from 'zod';
import { type CommandLine, UsageError } from '../commandLine.ts';
import type { DevProxy } from '../dev/devProxy.ts';
import { checkToken, readShell, requestToken, urlHost } from '../dev/shellAccess.ts';
import { localProvides } from '../provides.ts';
import { type Command, rejectExtraArguments } from './command.ts';
import { signedLink } from './override.ts';

const builtSchema = z.object({ built: z.string() });

const ownModule = (directory: string, name: string): string => {
  try {
    return createRequire(join(directory, 'package.json')).resolve(`@forecourt/build/${name}`);
  } catch (error) {
    throw new UsageError(`this needs a remote with @forecourt/build in ${directory}`, { cause: error });
  }
};

/** Lets this process load the contract as a build does: with styles, and in the workspace from its sources. */
export async function registerContract(directory: string): Promise<void> {
  const { registerTsx } = (await import(pathToFileURL(ownModule(directory, 'loadTsx')).href)) as {
    registerTsx: () => void;
  };
  registerTsx();
  // React renders with its development code otherwise.
  process.env['NODE_ENV'] ??= 'production';
}

async function loadRenderer(directory: string) {
  await registerContract(directory);
  const [{ DevProxy }, { openBuild }] = await Promise.all([
    import('../dev/devProxy.ts'),
    import('../dev/localBuild.ts'),
  ]);
  return { DevProxy, openBuild };
}

/** Not `dist`: that is the build that is published. */
const OUTPUT = '.cache/dev';

/** Runs `forecourt-build --watch` of the remote's own packages. It ends with this process. */
function startBuilds(directory: string, onBuilt: () => void): ChildProcess {
  const program = join(dirname(ownModule(directory, 'package.json')), 'bin/forecourt-build.mjs');
  const child = spawn(process.execPath, [program, '--watch', '--out', OUTPUT], {
    cwd: directory,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  child.on('message', (message) => builtSchema.safeParse(message).success && onBuilt());
  return child;
}

async function findToken(line: CommandLine, shell: URL, remote: string, origin: string): Promise<string> {
  const { OVERRIDE_TOKEN: given } = line.environment;
  if (given !== undefined) return checkToken(given, shell, remote, origin);
  if (line.overrideKey === undefined) return requestToken(shell, remote, origin);
  const { data } = await signedLink(line, [{ remote, version: undefined, origin }]);
  return checkToken(data.url, shell, remote, origin);
}

const print = (text: string) => process.stdout.write(`${text}\n`);
const warn = (text: string) => void process.stderr.write(`${text}\n`);
const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** An address of this machine for other devices in its network. @throws UsageError */
export function readHost(host: string | undefined): string | undefined {
  if (host === undefined) return undefined;
  const addresses = Object.values(networkInterfaces()).flatMap((entries = []) =>
    entries.filter(({ internal }) => !internal).map(({ address }) => address),
  );
  if (addresses.includes(host)) return host;
  const known = addresses.length > 0 ? addresses.join(', ') : 'none';
  throw new UsageError(`--host must be an address of this machine in its network: ${known}`);
}

/** The address for people, and for the camera of a phone in the same network. */
export const forPhone = (url: string): string =>
  `${url}\n${encodeQR(url, 'ascii')}Everyone in this network can open it while it runs, as you.`;

/** `dev [DIRECTORY] --shell URL`: runs until interrupted. */
export const dev: Command = async (line) => {
  const [directory = '.', ...rest] = line.args;
  rejectExtraArguments(rest);
  const shell = readShell(line.shell);
  const host = readHost(line.host);
  const root = resolve(directory);
  const origin = `http://localhost:${line.port}`;
  if (!existsSync(join(root, 'src/slots')))
    throw new UsageError(`${root} is not a remote, it has no folder src/slots: name the folder of one`);
  const renderer = await loadRenderer(root);
  const { shared } = await localProvides(root);
  const folder = mkdtempSync(join(tmpdir(), 'forecourt-dev-'));
  let proxy: DevProxy | undefined;
  // With --json, one object per line.
  const say = (data: object, text: readonly string[]) =>
    print(line.isJson ? JSON.stringify(data) : text.join('\n'));

  const start = async ({ name }: ReleaseManifest): Promise<DevProxy> => {
    const token = await findToken(line, shell, name, origin);
    const started = new renderer.DevProxy({ shell, token, onFailure: warn, onSignIn: warn });
    await started.listen(line.port, host);
    const page = '/cars-for-sale/all-cars';
    const url = host === undefined ? origin + page : `http://${urlHost(host)}:${line.port}${page}`;
    say({ event: 'listening', remote: name, shell: shell.origin, url }, [
      `${name} of this folder in the pages of ${shell.origin}: ${host === undefined ? url : forPhone(url)}`,
      'Stop with Ctrl-C.',
    ]);
    return started;
  };
  const stopped = Promise.withResolvers<void>();
  let queue = Promise.resolve();
  const builder = startBuilds(root, () => {
    queue = queue.then(async () => {
      // While the next build writes its files, those of this one do not match its manifest.
      const build = await renderer
        .openBuild(join(root, OUTPUT), { folder, shared })
        .catch((error: unknown) => warn(`the build can't be used: ${messageOf(error)}`));
      if (!build) return;
      proxy ??= await start(build.manifest);
      const { name, version } = build.manifest;
      await proxy.show(build).then(
        () =>
          say({ event: 'shown', release: `${name}@${version}` }, [
            `${name}@${version} is shown; open pages swap it in`,
          ]),
        (error: unknown) => warn(`the shell refuses ${name}@${version}: ${messageOf(error)}`),
      );
    });
    queue.catch(stopped.reject);
  });
  builder.once('exit', (code) => stopped.reject(new Error(`forecourt-build ended with ${code}`)));
  process.once('SIGINT', () => stopped.resolve()).once('SIGTERM', () => stopped.resolve());
  try {
    await stopped.promise;
  } finally {
    builder.removeAllListeners('exit');
    builder.kill();
    await proxy?.close();
    rmSync(folder, { recursive: true, force: true });
  }
  return { text: 'stopped', data: { origin } };
};
