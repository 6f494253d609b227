import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { versionSchema } from '@forecourt/releases/manifest';
import { buildRelease, compile, watchRelease } from './buildRelease.ts';
import { defineShell } from './defineShell.ts';
import MiniCssExtractPlugin from 'mini-css-extract-plugin';
import type { Configuration } from 'webpack';
import { commonConfiguration, minimizers, WEB_TARGET } from './rules.ts';

/** webpack configuration of a service's own page: `src/page/main.tsx` with the design tokens, into `dist/`. */
export const definePage = (directory: string): Configuration[] => [
  {
    ...commonConfiguration('web', directory),
    name: `page of ${basename(directory)}`,
    target: WEB_TARGET,
    devtool: false,
    entry: {
      page: ['@forecourt/slots/ui/tokens.css', join(directory, 'src/page/main.tsx')],
    },
    output: { path: join(directory, 'dist'), clean: true, filename: '[name].[contenthash:12].js' },
    optimization: { minimizer: minimizers() },
    plugins: [new MiniCssExtractPlugin({ filename: '[name].[contenthash:12].css' })],
  },
];

const USAGE = `usage: forecourt-build [--version VERSION] [--watch [--out FOLDER]]

Builds the remote in the current folder into dist/: web/, node/ and release.json.
In the shell's folder, builds the shell; in that of a service with src/page, its page.

  --version VERSION  name of the release; default: the package's version and a hash of the content
  --watch            builds a remote again on each change
  --out FOLDER       where --watch writes the build; default: dist
  --help

NODE_ENV=development builds without minification.
`;

/** The folder of a remote. Throws for any other. */
function remoteIn(directory: string): string {
  if (existsSync(join(directory, 'src/slots'))) return directory;
  throw new Error(`${directory} is not a remote: it has no folder src/slots`);
}

/** Builds on each change until interrupted; tells a parent process of each build. */
async function watch(directory: string, out: string): Promise<string> {
  // Not to outlive a parent that was killed.
  process.on('disconnect', () => process.exit());
  const watching = watchRelease(remoteIn(directory), resolve(directory, out), {
    onBuilt({ name, version }, ms) {
      process.stdout.write(`${name}@${version}: built in ${(ms / 1000).toFixed(1)} s\n`);
      process.send?.({ built: version });
    },
    onError: (message) => process.stderr.write(`${message}\n`),
  });
  await new Promise((resolve) => process.once('SIGINT', resolve).once('SIGTERM', resolve));
  await watching.close();
  process.disconnect?.();
  return 'stopped';
}

async function build(directory: string, version: string | undefined): Promise<string> {
  if (existsSync(join(directory, 'src/page/main.tsx'))) {
    await compile(definePage(directory));
    return `${basename(directory)}: page built`;
  }
  if (existsSync(join(directory, 'src/server.ts'))) {
    await compile(defineShell(directory));
    return 'shell: built';
  }
  if (version !== undefined && !versionSchema.safeParse(version).success)
    throw new Error(`--version must be a semantic version of three numbers, like 1.5.0, not '${version}'`);
  const manifest = await buildRelease(remoteIn(directory), version === undefined ? {} : { version });
  const files = Object.values(manifest.files);
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return `${manifest.name}@${manifest.version}: ${files.length} files, ${Math.round(bytes / 1024)} KB`;
}

process.env['NODE_ENV'] ??= 'production';
try {
  const { values } = parseArgs({
    options: {
      version: { type: 'string' },
      watch: { type: 'boolean', default: false },
      out: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const directory = process.cwd();
  if (values.out !== undefined && !values.watch)
    throw new Error('--out is for --watch; a release is built into dist');
  const run = () =>
    values.watch ? watch(directory, values.out ?? 'dist') : build(directory, values.version);
  process.stdout.write(values.help ? USAGE : `${await run()}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
