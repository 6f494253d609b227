import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const REPOSITORY = fileURLToPath(new URL('../../../..', import.meta.url));
const PROJECTS = join(REPOSITORY, 'infra/proofs/foreign-remotes');
const FORECOURT = join(REPOSITORY, 'infra/tooling/cli/bin/forecourt.mjs');

/** What packing the contracts needs, copied so that it never changes the working tree. */
const COPIED = [
  'package.json',
  'tsconfig.json',
  '.npmrc',
  'shared-contracts',
  'infra/tooling/build',
  'infra/release-kit',
];
const CONTRACTS = ['releases', 'slots', 'upstream', 'search'];

/** This environment without what npm adds to it: an inner npm would install into this repository. */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([key]) => !/^(?:npm_(?!config_(?:registry|cache|userconfig)$)|NODE_OPTIONS$|NODE_ENV$)/i.test(key),
  );
  return {
    ...Object.fromEntries(inherited),
    PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
    npm_config_prefer_offline: 'true',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
    npm_config_fetch_timeout: '30000',
    npm_config_fetch_retries: '1',
  };
}

/** Whether a package registry responds, from which toolchains can be installed. */
export const hasPackageRegistry = (): boolean =>
  spawnSync('npm', ['view', 'react', 'version', '--fetch-retries=0', '--prefer-online'], {
    env: cleanEnvironment(),
    timeout: 30_000,
  }).status === 0;

const run = (command: string, args: readonly string[], cwd: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env: cleanEnvironment() });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.once('error', reject);
    child.once('close', (status) =>
      status === 0 ? resolve(output) : reject(new Error(`${command} ${args.join(' ')}: ${output}`)),
    );
  });

/** A project of another toolchain, installed in a folder of its own outside of this repository. */
export interface ForeignProject {
  readonly folder: string;
  /** Replaces text in one of its files. */
  readonly change: (file: string, from: string | RegExp, to: string) => void;
  readonly build: () => Promise<string>;
  /** Runs `forecourt pack`. */
  readonly pack: () => SpawnSyncReturns<string>;
}

/** A temporary folder for projects of other toolchains, with the contracts as packages. */
export class ForeignProjects {
  readonly #folder = realpathSync(mkdtempSync(join(tmpdir(), 'forecourt-foreign-')));

  /** Packs the contracts. */
  async prepare(): Promise<void> {
    const copy = join(this.#folder, 'forecourt');
    for (const path of COPIED)
      cpSync(join(REPOSITORY, path), join(copy, path), {
        recursive: true,
        filter: (source) => !/[\\/](?:dist|node_modules|\.cache)$/.test(source),
      });
    symlinkSync(join(REPOSITORY, 'node_modules'), join(copy, 'node_modules'), 'junction');
    for (const contract of CONTRACTS)
      await run(
        'npm',
        ['pack', '--pack-destination', this.#folder],
        join(copy, 'shared-contracts', contract),
      );
  }

  /** Copies the project `name` and installs it; `as` is its folder. */
  async install(name: string, as = name.replace('/', '-')): Promise<ForeignProject> {
    const folder = join(this.#folder, as);
    cpSync(join(PROJECTS, name), folder, { recursive: true });
    const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    const wanted = CONTRACTS.filter((contract) => `@forecourt/${contract}` in dependencies);
    const tarballs = readdirSync(this.#folder).filter((file) =>
      wanted.some((contract) => file.startsWith(`forecourt-${contract}-`)),
    );
    await run('npm', ['install', '--no-save', ...tarballs.map((file) => join(this.#folder, file))], folder);
    return this.#project(folder);
  }

  /** A copy of an installed project, to break it. */
  copy({ folder }: ForeignProject, as: string): ForeignProject {
    const target = join(this.#folder, as);
    cpSync(folder, target, { recursive: true, filter: (source) => source !== join(folder, 'node_modules') });
    symlinkSync(join(folder, 'node_modules'), join(target, 'node_modules'), 'junction');
    return this.#project(target);
  }

  #project(folder: string): ForeignProject {
    return {
      folder,
      change(file, from, to) {
        const text = readFileSync(join(folder, file), 'utf8');
        const changed = text.replaceAll(from, to);
        if (changed === text) throw new Error(`${file} has no ${String(from)}`);
        writeFileSync(join(folder, file), changed);
      },
      build: () => run('npm', ['run', 'build'], folder),
      pack: () =>
        spawnSync(process.execPath, [FORECOURT, 'pack', folder], {
          encoding: 'utf8',
          env: cleanEnvironment(),
        }),
    };
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
