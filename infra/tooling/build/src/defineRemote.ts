import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import CssMinimizerPlugin from 'css-minimizer-webpack-plugin';
import MiniCssExtractPlugin from 'mini-css-extract-plugin';
import webpack, { type Configuration } from 'webpack';
import { SubresourceIntegrityPlugin } from 'webpack-subresource-integrity';
import { commonConfiguration, laterStyles, type Side } from './rules.ts';
import { containerName, packageOf, SHARED_MODULES } from './shared.ts';

export interface RemotePackage {
  readonly directory: string;
  /** Name without scope, e.g. 'mfe-results'. */
  readonly name: string;
  readonly version: string;
  readonly contract: string;
  /** Slot to source file: each file of `src/slots`, exposed as './<slot>'. */
  readonly slots: Readonly<Record<string, string>>;
  /** Shared module to the range that this remote accepts, from its own package.json. */
  readonly shared: Readonly<Record<string, string>>;
}

interface PackageJson {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Record<string, string>;
}

/** Reads what the build must know from the remote's folder. Throws when a shared library has no declared range. */
export function readRemotePackage(directory: string, repositoryRoot: string): RemotePackage {
  const own = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as PackageJson;
  const contract = JSON.parse(
    readFileSync(join(repositoryRoot, 'shared-contracts/package.json'), 'utf8'),
  ) as PackageJson;
  const slots = Object.fromEntries(
    readdirSync(join(directory, 'src/slots'))
      .filter((file) => /^[a-z][a-z0-9-]*\.tsx?$/.test(file))
      .map((file) => [basename(file).replace(/\.tsx?$/, ''), `./src/slots/${file}`]),
  );
  const shared = Object.fromEntries(
    SHARED_MODULES.map((module) => {
      const range = own.dependencies?.[packageOf(module)];
      if (range === undefined) throw new Error(`${own.name} must depend on ${packageOf(module)}`);
      return [module, range];
    }),
  );
  return {
    directory,
    name: own.name.split('/').at(-1) ?? own.name,
    version: own.version,
    contract: contract.version,
    slots,
    shared,
  };
}

const EXPOSE_PREFIX = 'slot-';

/** Name of the chunk group of an exposed slot. */
export const exposeChunk = (slot: string): string => `${EXPOSE_PREFIX}${slot}`;

const isSlot = ({ name }: { name?: string | null | undefined }): boolean =>
  name?.startsWith(EXPOSE_PREFIX) ?? false;

function container(remote: RemotePackage, side: Side) {
  return new webpack.container.ModuleFederationPlugin({
    name: containerName(remote.name),
    ...(side === 'web' ? { filename: 'remoteEntry.js' } : {}),
    library: side === 'web' ? { type: 'var', name: containerName(remote.name) } : { type: 'commonjs-module' },
    exposes: Object.fromEntries(
      Object.entries(remote.slots).map(([slot, file]) => [
        `./${slot}`,
        { import: file, name: exposeChunk(slot) },
      ]),
    ),
    // No fallback copies: what the shell does not provide in range, the release gate refuses.
    shared: Object.fromEntries(
      Object.entries(remote.shared).map(([module, requiredVersion]) => [
        module,
        { singleton: true, strictVersion: true, requiredVersion, import: false as const },
      ]),
    ),
  });
}

/** webpack configurations of a remote: for the browser and for the shell's server renderer. */
export function defineRemote(remote: RemotePackage, repositoryRoot: string): Configuration[] {
  const { directory, name } = remote;
  const web: Configuration = {
    ...commonConfiguration('web', directory, repositoryRoot),
    name: `${name} web`,
    target: 'web',
    entry: {},
    output: {
      path: join(directory, 'dist/web'),
      clean: true,
      publicPath: 'auto',
      uniqueName: name,
      chunkFilename: '[name].[contenthash:8].js',
      // Beside the release, not in it: they are for the team.
      sourceMapFilename: '../maps/[file].map',
      crossOriginLoading: 'anonymous',
      trustedTypes: { policyName: `${name}#webpack` },
    },
    optimization: {
      chunkIds: 'named',
      minimizer: ['...', new CssMinimizerPlugin()],
      splitChunks: {
        cacheGroups: {
          default: false,
          defaultVendors: false,
          // The slots of one remote share most of their code and are needed together: one file, one request.
          slots: { name: 'slots', chunks: isSlot, enforce: true },
          laterStyles: laterStyles(isSlot),
        },
      },
    },
    plugins: [
      container(remote, 'web'),
      // The shell links the styles of a slot itself, before the slot's HTML: no loading code is needed.
      new MiniCssExtractPlugin({
        filename: '[name].[contenthash:8].css',
        chunkFilename: '[name].[contenthash:8].css',
        runtime: false,
      }),
      // Eagerly it knows the chunks of one slot alone: all have the same file, and so its name for their groups.
      new SubresourceIntegrityPlugin({ hashFuncNames: ['sha384'], hashLoading: 'lazy', enabled: true }),
    ],
  };
  const node: Configuration = {
    ...commonConfiguration('node', directory, repositoryRoot),
    name: `${name} node`,
    // Chunks come by `require`, which the shell answers from the verified files of the release alone.
    target: 'node24',
    entry: {},
    output: {
      path: join(directory, 'dist/node'),
      clean: true,
      publicPath: '',
      uniqueName: name,
      filename: 'remoteEntry.cjs',
      chunkFilename: '[name].cjs',
    },
    optimization: { minimize: false, splitChunks: false, chunkIds: 'named' },
    plugins: [container(remote, 'node')],
  };
  return [web, node];
}
