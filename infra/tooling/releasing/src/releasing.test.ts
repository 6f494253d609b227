import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { sampleRelease, writeRelease } from '@forecourt/release-kit/testing';
import { finishChangelog, isDescribed } from './finishVersions.ts';

const REPOSITORY = resolve(import.meta.dirname, '../../../..');

/** What Lerna and packing read. Of other packages only the package.json. */
const COPIED = [
  ...['package.json', 'package-lock.json', 'lerna.json', 'tsconfig.json', '.npmrc', '.gitignore'],
  ...['shared-contracts', 'mfe-showcase', 'infra/release-kit'],
  ...['build', 'cli', 'create-remote', 'lint', 'releasing'].map((name) => `infra/tooling/${name}`),
];
const INSTALL_MS = 240_000;

const VERDACCIO = {
  private: true,
  dependencies: { verdaccio: '6.8.0' },
  // 6.8.0 asks for a version that its own dependencies refuse.
  overrides: { 'node-fetch': '2.7.0' },
};

interface PackageJson {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

let folder: string;
/** A copy of this repository with a history of its own. */
let clone: string;
/** Lerna's folder with its packages. */
let lerna: string;

function cleanEnvironment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([key]) =>
      !/^(?:npm_(?!config_(?:registry|cache|userconfig)$)|NODE_OPTIONS$|NODE_ENV$|JEST_|GIT_|CI$)/i.test(key),
  );
  return {
    ...Object.fromEntries(inherited),
    PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
    npm_config_prefer_offline: 'true',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
  };
}

function run(command: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    env: cleanEnvironment(),
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stdout}${stderr}`);
  return stdout;
}
const git = (...args: readonly string[]): string =>
  run(
    'git',
    ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgsign=false', ...args],
    clone,
  );
const read = (path: string): string => readFileSync(join(clone, path), 'utf8');
const packageOf = (path: string): PackageJson => JSON.parse(read(`${path}/package.json`)) as PackageJson;

const runLerna = (...args: readonly string[]): string =>
  run(process.execPath, [join(lerna, 'node_modules/@lerna-lite/cli/dist/cli.js'), ...args], clone);

const hasRegistry =
  spawnSync('npm', ['view', 'react', 'version', '--fetch-retries=0', '--prefer-online'], {
    env: cleanEnvironment(),
  }).status === 0;
if (!hasRegistry) it.skip('skipped: the npm registry does not respond', () => undefined);

function commit(message: string, file: string): void {
  writeFileSync(join(clone, file), `${read(file)}\n// ${message.split('\n')[0]}\n`);
  git('add', '--all');
  git('commit', '--quiet', '--message', message);
}

/** A port that nothing listens on. */
const unusedPort = (): Promise<number> =>
  new Promise((found) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => found(port));
    });
  });

describe('finishChangelog', () => {
  it("adds the hash of the public names to Lerna's heading, and takes over what was unreleased", () => {
    const written =
      '# Change Log\n\n# [2.0.0](x) (2026-11-29)\n\n### Features\n\n- a\n\n## Unreleased\n\n- b\n\n## 1.0.0\n';
    expect(finishChangelog(written, '2.0.0', 'api')).toMatch(
      /^# Change Log\n\n# \[2\.0\.0\]\(x\) \(2026-11-29\) \(api [0-9a-f]{12}\)\n\n### Features\n\n- a\n\n- b\n\n## 1\.0\.0\n$/,
    );
    expect(finishChangelog(written, '1.0.1', 'api')).toBe(written);
  });
});

describe('isDescribed', () => {
  const page = '# Migrating\n\n## 2.0.0\n\nNames in camel case.\n\n## 1.0.0\n';
  it.each([
    ['1.0.0', true],
    ['2.0.0', true],
    // Nothing to change.
    ['2.1.0', true],
    ['3.0.1', true],
    ['3.0.0', false],
    ['12.0.0', false],
  ])('of %s is %s', (version, isFound) => {
    expect(isDescribed(page, version)).toBe(isFound);
  });
});

(hasRegistry ? describe : describe.skip)('a release of the contracts', () => {
  let registry: ChildProcess | undefined;

  beforeAll(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'forecourt-releasing-')));
    clone = join(folder, 'forecourt');
    lerna = join(folder, 'lerna');
    for (const path of COPIED)
      cpSync(join(REPOSITORY, path), join(clone, path), {
        recursive: true,
        filter: (source) => !/[\\/](?:dist|node_modules|\.cache)$/.test(source),
      });
    const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, object> };
    for (const path of Object.keys(packages).filter((key) => key !== '' && !key.includes('node_modules'))) {
      mkdirSync(join(clone, path), { recursive: true });
      cpSync(join(REPOSITORY, path, 'package.json'), join(clone, path, 'package.json'));
    }
    symlinkSync(join(REPOSITORY, 'node_modules'), join(clone, 'node_modules'), 'junction');
    cpSync(join(REPOSITORY, 'infra/tooling/releasing/lerna'), lerna, {
      recursive: true,
      filter: (source) => !source.endsWith('node_modules'),
    });
    run('npm', ['ci', '--ignore-scripts'], lerna);

    git('init', '--quiet', '--initial-branch', 'main');
    git('config', 'user.name', 'Test');
    git('config', 'user.email', 'test@example.com');
    git('config', 'commit.gpgsign', 'false');
    git('config', 'tag.gpgsign', 'false');
    writeFileSync(join(clone, '.gitignore'), 'node_modules\ndist\n.cache\n');
    git('add', '--all');
    git('commit', '--quiet', '--message', 'chore: start');
    const { packages: published } = JSON.parse(read('lerna.json')) as { packages: string[] };
    for (const path of published.flatMap((pattern) =>
      pattern.endsWith('/*')
        ? ['releases', 'slots', 'upstream', 'search'].map((name) => pattern.replace('*', name))
        : [pattern],
    )) {
      const { name, version } = packageOf(path);
      git('tag', '--annotate', `${name}@${version}`, '--message', version);
    }
    commit('feat(slots): a slot can be paused', 'shared-contracts/slots/src/index.ts');
    commit('fix(cli): the table has no empty row', 'infra/tooling/cli/src/provides.ts');
    commit(
      'feat(upstream): calls are named in camel case\n\nBREAKING CHANGE: calls with dashes are gone',
      'shared-contracts/upstream/src/agreements.ts',
    );
    expect(() => runLerna('version', '--yes')).toThrow(
      "@forecourt/upstream 2.0.0: describe the way from the older major below '## 2.0.0'",
    );
    git('checkout', '--quiet', '--', '.');
    git('clean', '--quiet', '-d', '--force');
    const migration = 'shared-contracts/upstream/MIGRATING.md';
    writeFileSync(
      join(clone, migration),
      read(migration).replace('## 1.0.0', '## 2.0.0\n\nWrite `listViews` for `list-views`.\n\n## 1.0.0'),
    );
    git('commit', '--quiet', '--all', '--message', 'docs(upstream): how to name calls');
    runLerna('version', '--yes');
  }, INSTALL_MS);
  afterAll(() => {
    registry?.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  it('gets its versions and tags from conventional commits, and their dependents a patch', () => {
    const tags = git('tag', '--points-at', 'HEAD').trim().split('\n');
    expect(tags.sort()).toEqual([
      '@forecourt/build@0.1.1',
      '@forecourt/cli@0.1.1',
      '@forecourt/create-remote@0.1.1',
      '@forecourt/search@1.0.1',
      '@forecourt/slots@1.1.0',
      '@forecourt/upstream@2.0.0',
    ]);
    expect(git('log', '-1', '--format=%s').trim()).toBe('Release packages');
    expect(git('status', '--porcelain')).toBe('');
  });

  it('has changelogs that the check of contracts accepts, in which nothing is unreleased', () => {
    expect(read('shared-contracts/slots/CHANGELOG.md')).toMatch(
      /^# Change Log\n[^]*\n# (?:\[1\.1\.0\]\([^)]*\)|1\.1\.0) \(\d{4}-\d\d-\d\d\) \(api [0-9a-f]{12}\)\n\n### Features\n\n\* \*\*slots:\*\* a slot can be paused/,
    );
    expect(read('shared-contracts/upstream/CHANGELOG.md')).toContain(
      '### BREAKING CHANGES\n\n* **upstream:** calls with dashes are gone',
    );
    expect(read('infra/tooling/cli/CHANGELOG.md')).toContain('the table has no empty row');
    expect(read('shared-contracts/slots/CHANGELOG.md')).not.toContain('## Unreleased');
  });

  it('gives every package of the repository and the lock file the new ranges', () => {
    expect(packageOf('mfe-showcase').dependencies).toMatchObject({ '@forecourt/slots': '^1.1.0' });
    expect(packageOf('shell').dependencies).toMatchObject({ '@forecourt/upstream': '^2.0.0' });
    const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, PackageJson> };
    expect(packages['mfe-showcase']?.dependencies).toMatchObject({ '@forecourt/slots': '^1.1.0' });
    expect(packages['shared-contracts/upstream']?.version).toBe('2.0.0');
  });

  it(
    'is published to a registry, from which a remote in its own repository is installed',
    async () => {
      const verdaccio = join(folder, 'verdaccio');
      mkdirSync(verdaccio);
      writeFileSync(join(verdaccio, 'package.json'), JSON.stringify(VERDACCIO));
      run('npm', ['install', '--ignore-scripts'], verdaccio);
      writeFileSync(
        join(verdaccio, 'config.yaml'),
        [
          `storage: ${join(verdaccio, 'storage')}`,
          'auth: { htpasswd: { file: ./htpasswd, max_users: 10 } }',
          "packages: { '@forecourt/*': { access: $all, publish: $authenticated } }",
          'log: { type: stdout, format: json, level: warn }',
        ].join('\n'),
      );
      const port = await unusedPort();
      const url = `http://127.0.0.1:${port}`;
      const program = join(verdaccio, 'node_modules/verdaccio/bin/verdaccio');
      registry = spawn(
        process.execPath,
        [program, '--config', 'config.yaml', '--listen', `127.0.0.1:${port}`],
        {
          cwd: verdaccio,
          env: cleanEnvironment(),
          stdio: 'ignore',
        },
      );
      for (let tries = 0; tries < 300; tries += 1) {
        const isUp = await fetch(`${url}/-/ping`).then(
          ({ ok }) => ok,
          () => false,
        );
        if (isUp) break;
        await wait(100);
      }
      const user = { name: 'test', password: 'a-test-password', type: 'user' };
      const added = await fetch(`${url}/-/user/org.couchdb.user:test`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(user),
      });
      const { token } = (await added.json()) as { token: string };
      const npmrc = `@forecourt:registry=${url}/\n//127.0.0.1:${port}/:_authToken=${token}\n`;

      writeFileSync(join(clone, '.npmrc'), `${read('.npmrc')}${npmrc}`);
      git('commit', '--quiet', '--all', '--message', 'chore: registry');
      runLerna('publish', 'from-package', '--yes', '--registry', `${url}/`);
      expect(git('status', '--porcelain')).toBe('');

      const remote = join(folder, 'mfe-showcase');
      cpSync(join(clone, 'mfe-showcase'), remote, { recursive: true });
      writeFileSync(join(remote, '.npmrc'), npmrc);
      // All packages are resolved. What a remote is built with is only installed where it is built, by the test of the CLI.
      run('npm', ['install', '--ignore-scripts', '--package-lock-only'], remote);
      const { packages: resolved } = JSON.parse(readFileSync(join(remote, 'package-lock.json'), 'utf8')) as {
        packages: Record<string, PackageJson & { readonly link?: boolean }>;
      };
      // A version that only this registry has. Whether npm notes the address depends on the user's settings.
      expect(resolved['node_modules/@forecourt/build']).toMatchObject({ version: '0.1.1' });
      expect(resolved['node_modules/@forecourt/build']?.link).toBeUndefined();
      run('npm', ['ci', '--ignore-scripts', '--omit=dev'], remote);
      const installed = JSON.parse(
        readFileSync(join(remote, 'node_modules/@forecourt/slots/package.json'), 'utf8'),
      ) as PackageJson;
      expect(installed.version).toBe('1.1.0');
    },
    INSTALL_MS * 2,
  );

  it(
    'consists of packages in which publint and arethetypeswrong find nothing',
    () => {
      const checks = join(folder, 'checks');
      cpSync(join(REPOSITORY, 'infra/tooling/releasing/checks'), checks, {
        recursive: true,
        filter: (source) => !source.endsWith('node_modules'),
      });
      run('npm', ['ci', '--ignore-scripts'], checks);
      const tarballs = globSync('verdaccio/storage/@forecourt/*/*.tgz', { cwd: folder });
      expect(tarballs).toHaveLength(7);
      const paths = tarballs.map((tarball) => join(folder, tarball));
      expect(run(process.execPath, ['checkPackages.mjs', ...paths], checks)).toBe('');
    },
    INSTALL_MS,
  );

  describe('at the gate of what is installed from there', () => {
    let build: string;
    beforeEach(() => {
      build = mkdtempSync(join(folder, 'build-'));
    });
    /** `forecourt gate` of a release that was built for these contracts, in the remote's own repository. */
    const gateOf = async (contracts: Readonly<Record<string, string>>) => {
      const release = sampleRelease();
      Object.assign(release.manifest, {
        contracts,
        shared: { react: '^19.0.0', '@forecourt/slots': '^1.0.0' },
      });
      await writeRelease(build, release);
      const program = join(REPOSITORY, 'infra/tooling/cli/bin/forecourt.mjs');
      // Without a browser: the packages decide here, not what slots do.
      const env = { ...cleanEnvironment(), CHROME_BIN: '', PATH: dirname(process.execPath) };
      const { stdout, stderr, status } = spawnSync(process.execPath, [program, 'gate', build], {
        cwd: join(folder, 'mfe-showcase'),
        env,
        encoding: 'utf8',
      });
      return { status, output: stdout + stderr };
    };

    it('a release that was built against the previous minor is accepted, and runs', async () => {
      const { status, output } = await gateOf({ '@forecourt/slots': '1.0.0' });
      expect(output).toContain('sample@1.0.0 is accepted, and both of its sides load');
      expect(status).toBe(0);
    });

    it('a release that was built against the previous major is refused, with the page that says what to change', async () => {
      const { status, output } = await gateOf({
        '@forecourt/slots': '1.0.0',
        '@forecourt/upstream': '1.0.0',
      });
      expect(output).toContain('sample@1.0.0 is refused\nCONTRACT_VERSION\n');
      expect(status).toBe(1);
      const page = /follow (node_modules\/\S+\.md)/.exec(output)?.[1] ?? 'none';
      expect(readFileSync(join(folder, 'mfe-showcase', page), 'utf8')).toContain(
        '## 2.0.0\n\nWrite `listViews` for `list-views`.',
      );
    });
  });
});

it('runs Lerna in the repository', () => {
  const { scripts } = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  expect(scripts['version']).toBe('node infra/tooling/releasing/src/finishVersions.ts');
  expect(scripts['postpack']).toContain('packPackage.ts restore-all');
  expect(() =>
    execFileSync(process.execPath, ['--check', join(import.meta.dirname, 'runLerna.ts')]),
  ).not.toThrow();
});
