import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { basename, join } from 'node:path';
import { SHELL_OWNER } from '@forecourt/releases/ownNames';
import { browserslistToTargets, Features } from 'lightningcss';
import MiniCssExtractPlugin from 'mini-css-extract-plugin';
import MinimizerPlugin from 'minimizer-webpack-plugin';
import type { Compilation, Configuration, LoaderContext, RuleSetRule } from 'webpack';
import { className, classFolder, createClassNumbering } from './loadTsx.ts';
import { workspaceRoot } from './sharedModules.ts';

export type Side = 'web' | 'node';

/** The oldest browsers that the page supports. */
const BROWSERS = ['chrome 120', 'edge 120', 'firefox 121', 'safari 17.2'];

/** Those browsers for webpack, which writes ES5 for a target without a version. */
export const WEB_TARGET = ['web', 'es2022'];

/** Compiles TypeScript with swc, which does not check types. */
const script = (side: Side, root: string, isRefreshable: boolean): RuleSetRule => ({
  test: /\.[cm]?tsx?$/,
  exclude: /node_modules/,
  use: [
    { loader: join(import.meta.dirname, 'compiledScript.cjs'), options: { root, isRefreshable } },
    {
      loader: 'swc-loader',
      options: {
        jsc: {
          parser: { syntax: 'typescript', tsx: true },
          transform: {
            react: { runtime: 'automatic', ...(isRefreshable && { development: true, refresh: true }) },
          },
          ...(side === 'node' ? { target: 'es2023' } : {}),
        },
        ...(side === 'web' ? { env: { targets: BROWSERS.join(', ') } } : {}),
      },
    },
  ],
});

const isDevelopment = (): boolean => process.env['NODE_ENV'] === 'development';

function styles(side: Side, owner: string, directory: string): RuleSetRule {
  /** Per compilation: its files are the same for all of its classes. */
  const numberings = new WeakMap<Compilation, ReturnType<typeof createClassNumbering>>();
  function getLocalIdent(loader: LoaderContext<unknown>, _: string, local: string): string {
    const { resourcePath } = loader;
    // A class more renames others: their cached modules are out of date. Names of development builds have no numbers.
    if (!isDevelopment()) loader.addContextDependency(classFolder(owner, directory, resourcePath));
    const compilation = loader._compilation!;
    const numbersOf = numberings.get(compilation) ?? createClassNumbering();
    numberings.set(compilation, numbersOf);
    return className(owner, directory, resourcePath, local, numbersOf);
  }
  return {
    test: /\.css$/,
    use: [
      ...(side === 'web' ? [MiniCssExtractPlugin.loader] : []),
      {
        loader: 'css-loader',
        options: {
          // Embedded pictures stay as written: escaped, they are a fifth longer.
          url: { filter: (url: string) => !url.startsWith('data:') },
          modules: {
            auto: /\.module\.css$/,
            namedExport: false,
            exportLocalsConvention: 'as-is',
            exportOnlyLocals: side === 'node',
            getLocalIdent,
          },
        },
      },
    ],
  };
}

/**
 * Chunk of the styles in `*.later.css` and `*.later.module.css`, which nothing
 * above or in the results grid needs; the page loads it after the results.
 */
export const LATER_STYLES = 'later';

/** Cache group that splits later styles from the styles of the first view, in the selected chunks. */
export const laterStyles = (chunks: (chunk: { name?: string | null | undefined }) => boolean) => ({
  name: LATER_STYLES,
  type: 'css/mini-extract',
  test: /\.later(\.module)?\.css$/,
  chunks,
  enforce: true,
  priority: 10,
});

/** Minimizes CSS with Lightning CSS, in the plugin that webpack itself minimizes scripts with. */
const minimizeStyles = () =>
  new MinimizerPlugin({
    test: /\.css$/,
    minify: MinimizerPlugin.lightningCssMinify,
    // Colors follow `prefers-color-scheme` in media queries; `light-dark()` needs no replacement.
    minimizerOptions: { targets: browserslistToTargets(BROWSERS), exclude: Features.LightDark },
  });

/** Takes 0.8 % off the first view's scripts compared with terser. */
const minimizeScripts = () =>
  new MinimizerPlugin({
    test: /\.js$/,
    minify: MinimizerPlugin.swcMinify,
    minimizerOptions: { ecma: 2022, compress: { passes: 3 }, mangle: true },
  });

/** Of code for browsers. */
export const minimizers = () => [minimizeScripts(), minimizeStyles()];

/** Hash of this package's files: a changed rule invalidates the webpack cache. */
const CACHE_VERSION = readdirSync(import.meta.dirname)
  .filter((file) => /\.c?[jt]s$/.test(file))
  .sort()
  .reduce((hash, file) => hash.update(readFileSync(join(import.meta.dirname, file))), createHash('sha256'))
  .digest('hex');

/** Configuration that all builds share. A package's builds of one side need cache names of their own. */
export function commonConfiguration(
  side: Side,
  directory: string,
  {
    cacheName = side,
    isRefreshable = false,
    owner = SHELL_OWNER,
  }: {
    readonly cacheName?: string;
    /** Whose classes those of the CSS modules are; by default the page's own. */
    readonly owner?: string;
    /** Components can be replaced in an open page (`npm run dev`). */
    readonly isRefreshable?: boolean;
  } = {},
): Configuration {
  const root = workspaceRoot(directory);
  return {
    mode: isDevelopment() ? 'development' : 'production',
    devtool: side === 'web' ? 'hidden-source-map' : false,
    context: directory,
    resolve: {
      extensions: ['.ts', '.tsx', '.js'],
      // RxJS ships ES2015 modules under this condition; its default build targets ES5 and needs tslib.
      ...(side === 'web' && { conditionNames: ['es2015', '...'] }),
    },
    module: { rules: [script(side, root, isRefreshable), styles(side, owner, realpathSync(directory))] },
    performance: false,
    stats: 'errors-warnings',
    infrastructureLogging: { level: 'error' },
    cache: {
      type: 'filesystem',
      cacheDirectory: join(root, '.cache/webpack'),
      name: `${cacheName}-${basename(directory)}`,
      // webpack's entries hold absolute paths: a moved or copied checkout starts a cache of its own. Class names differ by mode.
      version: `${CACHE_VERSION} ${root} ${isDevelopment() ? 'development' : 'production'}`,
    },
  };
}
