import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { BuildWatch } from '@forecourt/build/buildRelease';
import { OVERRIDES_PATH } from '@forecourt/releases/overridePaths';
import { scenariosOf } from '@forecourt/workshop';
import { buildAll } from '../buildAll.ts';
import { type LocalConfig, readConfig, portsOf } from '../config.ts';
import { describeFailure, LocalError, REPOSITORY, remoteNames } from '../repository.ts';
import {
  type BuildReport,
  DEV_SHELL_DIST,
  type OpenWorkshop,
  openWorkshop,
  watchRemote,
  watchShell,
} from '../watch.ts';
import { type Stack, planStack } from '../stack.ts';
import { onStopRequest } from '../runTool.ts';
import { followPageFailures } from '../pageFailures.ts';
import { watchTypes } from '../typeErrors.ts';
import { tellUnwatchedChanges } from '../unwatchedChanges.ts';

/** Sources of what runs. */
const SOURCE_FOLDERS = [...remoteNames(), 'shell', 'shared-contracts', 'infra/service-kit', 'infra/services'];
const stopping = new AbortController();
const print = (line: string) => process.stdout.write(`${line}\n`);
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

/** The packages to watch: those named on the command line, by default all remotes and the shell. */
function selectPackages(names: readonly string[]): {
  readonly remotes: readonly string[];
  readonly hasShell: boolean;
} {
  const packages = [...remoteNames(), 'shell'];
  const unknown = names.find((name) => !packages.includes(name));
  if (unknown !== undefined)
    throw new LocalError(
      'CONFIGURATION_INVALID',
      `Unknown package '${unknown}'. Choose from ${packages.join(', ')}.`,
    );
  const selected = names.length > 0 ? names : packages;
  return { remotes: selected.filter((name) => name !== 'shell'), hasShell: selected.includes('shell') };
}

/** Builds the shell for development and restarts it on each change; open pages then reload. */
async function developShell(restart: () => Promise<void>): Promise<BuildWatch> {
  let isFirst = true;
  const watch = watchShell({
    onError: (message) => print(`The shell failed to build:\n${message}`),
    async onBuilt(ms) {
      if (isFirst) {
        isFirst = false;
        return;
      }
      const started = performance.now();
      await restart();
      print(
        `shell: rebuilt and restarted in ${seconds(ms + performance.now() - started)}; open pages reload`,
      );
    },
  });
  await watch.first;
  return watch;
}

/** What the shell did with a build, in one line or one for each reason. */
const describeBuild = (remote: string, { ms, refusals }: BuildReport): string =>
  refusals
    ? [`${remote}: the shell refuses this build, and pages keep the one before:`, ...refusals].join('\n  ')
    : `${remote}: live after ${seconds(ms)}; open pages show it`;

/** Opens a workshop page for each named remote that has scenarios. */
async function openWorkshops(names: readonly string[], config: LocalConfig): Promise<OpenWorkshop[]> {
  const opened: OpenWorkshop[] = [];
  for (const remote of names.filter((name) => scenariosOf(join(REPOSITORY, name)))) {
    const workshop = await openWorkshop(remote, {
      dataDir: config.DATA_DIR,
      port: config.WORKSHOP_PORT + opened.length,
      onError: (message) => print(`The workshop of ${remote} failed to build:\n${message}`),
    });
    opened.push(workshop);
    print(`Workshop of ${remote}: ${workshop.url}`);
  }
  return opened;
}

const stopped = new Promise<undefined>((resolve) =>
  stopping.signal.addEventListener('abort', () => resolve(undefined), { once: true }),
);

async function run(): Promise<number> {
  const config = readConfig(process.env);
  const { positionals } = parseArgs({ allowPositionals: true });
  const { remotes, hasShell } = selectPackages(positionals);
  const plan = await planStack({
    dataDir: config.DATA_DIR,
    inventorySize: config.INVENTORY_SIZE,
    issuer: config.OIDC_ISSUER,
    signal: stopping.signal,
    ports: portsOf(config),
    shellDist: DEV_SHELL_DIST,
    environment: { DEVELOPMENT_BUILDS: 'true', RELEASE_ISOLATION: config.RELEASE_ISOLATION ?? 'none' },
  });
  const watches: BuildWatch[] = [];
  let workshops: readonly OpenWorkshop[] = [];
  let stack: Stack | undefined;
  const closing: (() => void)[] = [];
  try {
    print('Building stale packages and generating the inventory …');
    await Promise.all([
      buildAll({
        packages: remoteNames(),
        signal: stopping.signal,
        onPackage: (name, done, total) => print(`  ${name} (${done} of ${total})`),
      }),
      plan.fill(),
    ]);
    await plan.publish();
    const shellWatch = await developShell(async () => stack?.restart('shell'));
    // A shell that is not worked on is built once, for it has what replaces slots in open pages.
    if (hasShell) watches.push(shellWatch);
    else await shellWatch.close();
    stack = await plan.start();
    for (const remote of remotes) {
      const watch = watchRemote(remote, {
        dataDir: config.DATA_DIR,
        registryUrl: stack.urls['remote-registry'],
        shellUrl: stack.urls.shell,
        onBuilt: (report) => print(describeBuild(remote, report)),
        onBusy: (isBusy) => {
          for (const workshop of workshops)
            if (workshop.remote === remote) workshop[isBusy ? 'pause' : 'resume']();
        },
        onError: (message) => print(`${remote} failed to build:\n${message}`),
      });
      watches.push(watch);
      // In sequence, because first builds are slow.
      await watch.first;
    }
    print(
      `\nForecourt is running at ${stack.urls.shell}/cars-for-sale/all-cars and watches ${[...remotes, ...(hasShell ? ['shell'] : [])].join(', ')}.`,
    );
    print(`Other releases, in your browser only: ${stack.urls.shell}${OVERRIDES_PATH}`);
    if (positionals.length > 0) workshops = await openWorkshops(remotes, config);
    closing.push(
      tellUnwatchedChanges(REPOSITORY, SOURCE_FOLDERS, {
        isWatched: (path) => watches.some((watch) => watch.reads(path)),
        tell: (path) =>
          print(
            `${path} has changed, but nothing that is watched is built from it. To see it, restart: npm run dev${positionals.length > 0 && !hasShell ? ` -- ${[...remotes, 'shell'].join(' ')}` : ''}`,
          ),
      }),
    );
    const types = watchTypes([...remotes, ...(hasShell ? ['shell'] : [])], {
      folder: join(config.DATA_DIR, 'dev/types'),
      print,
    });
    closing.push(() => types.close());
    closing.push(followPageFailures(stack.urls.shell, print));
    print(`Logs: ${stack.dataDir}/logs. Press Ctrl-C to stop.\n`);
    const failure = await Promise.race([stack.failed, stopped]);
    if (failure) throw failure;
    print('\nStopping …');
    return 0;
  } finally {
    for (const close of closing) close();
    await Promise.all([...watches, ...workshops].map((watch) => watch.close()));
    if (stack) await stack.stop();
    else await plan.abandon();
  }
}

onStopRequest(() => stopping.abort());
try {
  process.exitCode = await run();
} catch (error) {
  if (stopping.signal.aborted) process.exitCode = 0;
  else {
    process.stderr.write(`${describeFailure(error)}\n`);
    process.exitCode = 1;
  }
}
process.exit();
