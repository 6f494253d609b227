import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import MiniCssExtractPlugin from 'mini-css-extract-plugin';
import type { Configuration, RuleSetRule } from 'webpack';

export type Side = 'web' | 'node';

/** TypeScript by swc; types are checked by `npm run types`. */
const script = (side: Side): RuleSetRule => ({
  test: /\.[cm]?tsx?$/,
  exclude: /node_modules/,
  use: {
    loader: 'swc-loader',
    options: {
      jsc: {
        parser: { syntax: 'typescript', tsx: true },
        transform: { react: { runtime: 'automatic' } },
        ...(side === 'node' ? { target: 'es2023' } : {}),
      },
      ...(side === 'web' ? { env: { targets: 'chrome 120, edge 120, firefox 121, safari 17.2' } } : {}),
    },
  },
});

/**
 * Class names are the same in both builds of one module, or hydration would
 * not match: they follow from the file's path below the repository.
 */
const styles = (side: Side, repositoryRoot: string): RuleSetRule => ({
  test: /\.css$/,
  use: [
    ...(side === 'web' ? [MiniCssExtractPlugin.loader] : []),
    {
      loader: 'css-loader',
      options: {
        modules: {
          auto: /\.module\.css$/,
          namedExport: false,
          exportLocalsConvention: 'as-is',
          exportOnlyLocals: side === 'node',
          localIdentName: '[local]-[hash:base64:6]',
          localIdentContext: repositoryRoot,
        },
      },
    },
  ],
});

/**
 * Styles of `*.later.css` and `*.later.module.css`, which nothing above or among
 * the results needs: a file of their own, which the page brings behind the results.
 */
export const LATER_STYLES = 'later';

/** Splits the later styles of the chunks which `chunks` names from those of the first view. */
export const laterStyles = (chunks: (chunk: { name?: string | null | undefined }) => boolean) => ({
  name: LATER_STYLES,
  type: 'css/mini-extract',
  test: /\.later(\.module)?\.css$/,
  chunks,
  enforce: true,
  priority: 10,
});

/** Of these files: what was compiled by other rules is compiled anew. */
const FACTORIES = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.ts'))
  .sort()
  .reduce((hash, file) => hash.update(readFileSync(join(import.meta.dirname, file))), createHash('sha256'))
  .digest('hex');

/** What all builds have in common. */
export function commonConfiguration(side: Side, directory: string, repositoryRoot: string): Configuration {
  return {
    mode: process.env['NODE_ENV'] === 'development' ? 'development' : 'production',
    devtool: side === 'web' ? 'hidden-source-map' : false,
    context: directory,
    resolve: {
      extensions: ['.ts', '.tsx', '.js'],
      // RxJS offers what it wrote, and what it is for browsers without classes, which needs another library.
      ...(side === 'web' && { conditionNames: ['es2015', '...'] }),
    },
    module: { rules: [script(side), styles(side, repositoryRoot)] },
    performance: false,
    stats: 'errors-warnings',
    infrastructureLogging: { level: 'error' },
    cache: {
      type: 'filesystem',
      cacheDirectory: `${repositoryRoot}/.cache/webpack`,
      name: `${side}-${directory.split('/').at(-1)}`,
      version: FACTORIES,
    },
  };
}
