import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commonConfiguration } from '@forecourt/build/rules';
import MiniCssExtractPlugin from 'mini-css-extract-plugin';
import type { Configuration } from 'webpack';

const PAGE = fileURLToPath(new URL('page/main.tsx', import.meta.url));

/** Where a remote keeps its scenarios; undefined when it has none. */
export function scenariosOf(directory: string): string | undefined {
  return ['src/scenarios.ts', 'src/scenarios.tsx', 'src/scenarios/index.ts']
    .map((path) => join(directory, path))
    .find(existsSync);
}

/**
 * webpack configuration of the standalone page of the remote in `directory`:
 * one bundle of its slots, its scenarios, React and the contracts.
 * Throws when the remote has no scenarios.
 */
export function definePage(directory: string, repositoryRoot: string, output: string): Configuration {
  const scenarios = scenariosOf(directory);
  if (!scenarios) throw new Error(`${basename(directory)} has no src/scenarios.ts`);
  const common = commonConfiguration('web', directory);
  return {
    ...common,
    name: `${basename(directory)} alone`,
    target: 'web',
    entry: { page: PAGE },
    resolve: { ...common.resolve, alias: { 'remote/scenarios$': scenarios } },
    output: { path: output, clean: true, filename: '[name].js', chunkFilename: '[name].[contenthash:8].js' },
    optimization: { minimize: false },
    plugins: [new MiniCssExtractPlugin({ filename: '[name].css' })],
    cache: {
      type: 'filesystem',
      cacheDirectory: join(repositoryRoot, '.cache/webpack'),
      name: `alone-${basename(directory)}`,
    },
  };
}
