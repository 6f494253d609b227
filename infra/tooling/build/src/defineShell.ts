import { join } from 'node:path';
import { ModuleFederationPlugin } from '@module-federation/enhanced/webpack';
import CssMinimizerPlugin from 'css-minimizer-webpack-plugin';
import MiniCssExtractPlugin from 'mini-css-extract-plugin';
import type { Configuration } from 'webpack';
import { commonConfiguration, laterStyles } from './rules.ts';
import { providedVersion } from './providedVersion.ts';
import { SHARED_MODULES } from './shared.ts';

/** webpack configurations of the shell: the browser's host and the server with its render worker. */
export function defineShell(directory: string, repositoryRoot: string): Configuration[] {
  const provided = Object.fromEntries(
    SHARED_MODULES.map((module) => [module, providedVersion(module, repositoryRoot)]),
  );
  const web: Configuration = {
    ...commonConfiguration('web', directory, repositoryRoot),
    name: 'shell web',
    target: 'web',
    entry: {
      shell: [
        '@forecourt/shared-contracts/ui/tokens.css',
        './src/server/compose/page.css',
        './src/server/compose/page.later.css',
        './src/browser/main.ts',
      ],
    },
    output: {
      path: join(directory, 'dist/web'),
      clean: true,
      publicPath: 'auto',
      uniqueName: 'shell',
      // The federation plugin cannot put a content hash into the entry's name: the shell serves all below one build hash.
      filename: '[name].js',
      chunkFilename: '[name].js',
      sourceMapFilename: '../maps/[file].map',
      crossOriginLoading: 'anonymous',
      trustedTypes: { policyName: 'shell#webpack' },
    },
    optimization: {
      minimizer: ['...', new CssMinimizerPlugin()],
      chunkIds: 'named',
      splitChunks: { cacheGroups: { laterStyles: laterStyles(({ name }) => name === 'shell') } },
    },
    plugins: [
      new ModuleFederationPlugin({
        name: 'shell',
        dts: false,
        manifest: false,
        dev: false,
        shareStrategy: 'loaded-first',
        shared: Object.fromEntries(
          SHARED_MODULES.map((module) => [
            module,
            {
              singleton: true,
              eager: true,
              strictVersion: true,
              version: provided[module],
              requiredVersion: false as const,
            },
          ]),
        ),
        experiments: { optimization: { target: 'web', disableSnapshot: true } },
      }),
      new MiniCssExtractPlugin({
        filename: '[name].css',
        chunkFilename: '[name].css',
        runtime: false,
      }),
    ],
  };
  const server: Configuration = {
    ...commonConfiguration('node', directory, repositoryRoot),
    name: 'shell server',
    target: 'node24',
    entry: { server: './src/server.ts', worker: './src/server/rendering/worker/main.ts' },
    output: {
      path: join(directory, 'dist/server'),
      clean: true,
      filename: '[name].cjs',
      library: { type: 'commonjs2' },
    },
    // Libraries are required at run time: one React instance for the shell and all releases.
    externals: [
      ({ request }, callback) =>
        request && /^(?!@forecourt\/)(?:@[^/.]|[a-z])/i.test(request) && !request.includes('!')
          ? callback(undefined, `commonjs ${request}`)
          : callback(),
    ],
    optimization: { minimize: false, nodeEnv: false },
  };
  return [web, server];
}
