import { join } from 'node:path';
import MiniCssExtractPlugin from 'mini-css-extract-plugin';
import webpack, {
  type Configuration,
  type Compiler,
  type Compilation,
  type Module,
  type WebpackPluginInstance,
} from 'webpack';
import { commonConfiguration, laterStyles, minimizers, WEB_TARGET } from './rules.ts';
import { providedVersion, sharedModules } from './sharedModules.ts';

/** The first module outside the package through which `module` came into the build. */
function importerOf(module: Module, isForbidden: (module: Module) => boolean, { moduleGraph }: Compilation) {
  let importer = moduleGraph.getIssuer(module);
  while (importer && isForbidden(importer)) importer = moduleGraph.getIssuer(importer);
  return importer?.nameForCondition() ?? 'the entry';
}

/** Fails a build of which any chunk contains a module of the package `name`. Unused imports are not in chunks. */
export class ForbidPackagePlugin implements WebpackPluginInstance {
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
  }

  apply(compiler: Compiler): void {
    const name = this.#name;
    const isForbidden = (module: Module) =>
      module.nameForCondition()?.replaceAll('\\', '/').includes(`/node_modules/${name}/`) ?? false;
    compiler.hooks.compilation.tap('ForbidPackagePlugin', (compilation) => {
      compilation.hooks.afterChunks.tap('ForbidPackagePlugin', () => {
        const { chunkGraph, errors, modules } = compilation;
        const found = [...modules].find(
          (module) => isForbidden(module) && chunkGraph.getNumberOfModuleChunks(module) > 0,
        );
        if (!found) return;
        const importer = importerOf(found, isForbidden, compilation);
        const message = `this build must not contain ${name}, which ${importer} imports`;
        errors.push(new compiler.webpack.WebpackError(message));
      });
    });
  }
}

/**
 * Constants of the shell's browser code. The federation runtime leaves out what the page does itself: the share scope
 * (`federationHost.ts`) and snapshots, which `release.json` replaces. Its own plugin sets them for
 * `experiments.optimization`, and adds code that webpack shares modules with.
 */
const browserConstants = (directory: string) =>
  new webpack.DefinePlugin({
    SHARED_VERSIONS: JSON.stringify(
      Object.fromEntries(
        sharedModules(directory).map((module) => [module, providedVersion(module, directory)]),
      ),
    ),
    ENV_TARGET: JSON.stringify('web'),
    FEDERATION_OPTIMIZE_NO_SHARED: true,
    FEDERATION_OPTIMIZE_NO_SNAPSHOT_PLUGIN: true,
  });

/** webpack configuration of the shell's browser code. */
function webConfiguration(directory: string, { isRefreshable = false }): Configuration {
  return {
    ...commonConfiguration('web', directory),
    name: 'shell web',
    target: WEB_TARGET,
    entry: {
      shell: [
        ...(isRefreshable ? [join(import.meta.dirname, 'refreshRuntime.ts')] : []),
        '@forecourt/slots/ui/tokens.css',
        './src/main.ts',
      ],
    },
    output: {
      path: join(directory, 'dist/web'),
      clean: true,
      compareBeforeEmit: false,
      publicPath: 'auto',
      uniqueName: 'shell',
      // Below one build hash, as the shell serves them.
      filename: '[name].js',
      chunkFilename: '[name].js',
      sourceMapFilename: '../maps/[file].map',
      crossOriginLoading: 'anonymous',
      trustedTypes: { policyName: 'shell#webpack' },
    },
    optimization: {
      minimizer: minimizers(),
      // Short names instead of stable ones: the shell is built as a whole.
      mangleExports: 'size',
      chunkIds: 'named',
      // By place: shorter than ids from names.
      moduleIds: 'natural',
      splitChunks: { cacheGroups: { laterStyles: laterStyles(({ name }) => name === 'shell') } },
    },
    plugins: [
      browserConstants(directory),
      // Schemas are for servers; browser code checks what it receives with a few lines of its own.
      new ForbidPackagePlugin('zod'),
      new MiniCssExtractPlugin({
        filename: '[name].css',
        chunkFilename: '[name].css',
        runtime: false,
      }),
    ],
  };
}

/** webpack configuration of the shell's inline script: without the federation's runtime, which is loaded later. */
const earlyConfiguration = (directory: string): Configuration => ({
  ...commonConfiguration('web', directory, { cacheName: 'early' }),
  name: 'shell early script',
  devtool: false,
  target: WEB_TARGET,
  entry: { early: './src/early.ts' },
  output: { path: join(directory, 'dist/early'), clean: true, filename: '[name].js' },
});

const NODE_MAJOR = 24;

/** Code that ends a program on an older Node with one line, before anything of it runs. */
export const requireNode = (program: string): string =>
  `if (Number(process.versions.node.split('.')[0]) < ${NODE_MAJOR}) {
  process.stderr.write('${program}: needs Node ${NODE_MAJOR} or newer, this is ' + process.version + ': install it from https://nodejs.org, or use node_modules/.bin/node\\n');
  process.exit(1);
}`;

/** webpack configuration of the shell's server. */
function serverConfiguration(directory: string): Configuration {
  return {
    ...commonConfiguration('node', directory),
    name: 'shell server',
    target: 'node24',
    entry: {
      server: './src/server.ts',
      // The program of a thread.
      probes: '@forecourt/shell/engine/probes',
    },
    output: {
      path: join(directory, 'dist/server'),
      clean: true,
      compareBeforeEmit: false,
      filename: '[name].cjs',
      library: { type: 'commonjs2' },
    },
    // Libraries are required at run time: one React instance for the shell and releases rendered inline.
    externals: [
      ({ request }, callback) =>
        request && /^(?!@forecourt\/)(?:@[^/.]|[a-z])/i.test(request) && !request.includes('!')
          ? callback(undefined, `commonjs ${request}`)
          : callback(),
    ],
    optimization: { minimize: false, nodeEnv: false },
    plugins: [new webpack.BannerPlugin({ banner: requireNode('shell'), raw: true })],
  };
}

/** webpack configuration of the program that renders a release: one file, because its sandbox holds nothing else. */
export const defineReleaseProgram = (directory: string): Configuration => ({
  ...commonConfiguration('node', directory, { cacheName: 'release-program' }),
  name: 'shell release program',
  mode: 'production',
  target: 'node24',
  entry: { release: './src/releaseProgram.ts' },
  output: {
    path: join(directory, 'dist/program'),
    clean: true,
    compareBeforeEmit: false,
    filename: '[name].cjs',
  },
  optimization: { minimize: false },
});

/**
 * The builds of a site's shell: `src/main.ts` and `src/early.ts` for browsers, `src/server.ts` and `src/releaseProgram.ts` for
 * the server. A refreshable one can replace components of remotes in an open page (`npm run dev`).
 */
export const defineShell = (
  directory: string,
  options: { isRefreshable?: boolean } = {},
): Configuration[] => [
  webConfiguration(directory, options),
  serverConfiguration(directory),
  defineReleaseProgram(directory),
  earlyConfiguration(directory),
];
