import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import MiniCssExtractPlugin from 'mini-css-extract-plugin';
import { containerGlobal } from '@forecourt/releases/containerNames';
import webpack, { type Configuration } from 'webpack';
import { SubresourceIntegrityPlugin } from 'webpack-subresource-integrity';
import { commonConfiguration, laterStyles, minimizers, type Side, WEB_TARGET } from './rules.ts';
import {
  contractVersions,
  packageOf,
  providedVersion,
  readPackageJson,
  sharedModules,
  slotsListedAs,
} from './sharedModules.ts';

export interface RemotePackage {
  readonly directory: string;
  /** Name without scope, e.g. 'mfe-results'. */
  readonly name: string;
  readonly version: string;
  /** Contract package to installed version. */
  readonly contracts: Readonly<Record<string, string>>;
  /** Slots of other pages than the main one. */
  readonly pageSlots: ReadonlySet<string>;
  /** Slots that most visits never reach. */
  readonly laterSlots: ReadonlySet<string>;
  /** Slot to source file: each file in `src/slots`, exposed as './<slot>'. */
  readonly slots: Readonly<Record<string, string>>;
  /** Shared module to the version range that this remote accepts. */
  readonly shared: Readonly<Record<string, string>>;
}

/** A dependency on a tarball or a git address has no range; the build then takes that of the installed version. */
const RANGE = /^[\d^~<>=*]/;

/** Reads the remote in `directory`. Throws when it does not depend on a package of a shared module. */
export function readRemotePackage(directory: string): RemotePackage {
  const own = readPackageJson(directory);
  const slots = Object.fromEntries(
    readdirSync(join(directory, 'src/slots'))
      .filter((file) => /^[a-z][a-z0-9-]*\.tsx?$/.test(file))
      .map((file) => [basename(file).replace(/\.tsx?$/, ''), `./src/slots/${file}`]),
  );
  const shared = Object.fromEntries(
    sharedModules(directory).map((module) => {
      const range = own.dependencies?.[packageOf(module)];
      if (range === undefined) throw new Error(`${own.name} must depend on ${packageOf(module)}`);
      return [module, RANGE.test(range) ? range : `^${providedVersion(module, directory)}`];
    }),
  );
  return {
    directory,
    name: own.name.split('/').at(-1) ?? own.name,
    version: own.version,
    contracts: contractVersions(directory),
    pageSlots: slotsListedAs('pageSlots', directory),
    laterSlots: slotsListedAs('laterSlots', directory),
    slots,
    shared,
  };
}

const EXPOSE_PREFIX = 'slot-';

/** Name of the chunk group of an exposed slot. */
export const exposeChunk = (slot: string): string => `${EXPOSE_PREFIX}${slot}`;

interface NamedChunk {
  readonly name?: string | null | undefined;
}

/** The exposed slot of a chunk, if it is one's. */
const slotOf = ({ name }: NamedChunk): string | undefined =>
  name?.startsWith(EXPOSE_PREFIX) ? name.slice(EXPOSE_PREFIX.length) : undefined;

const isSlot = (chunk: NamedChunk): boolean => slotOf(chunk) !== undefined;

/** Another page must not add its code and styles to the first view of the main one. */
const isMainPageSlot =
  ({ pageSlots }: RemotePackage) =>
  (chunk: NamedChunk): boolean => {
    const slot = slotOf(chunk);
    return slot !== undefined && !pageSlots.has(slot);
  };

const isLaterSlot =
  ({ laterSlots }: RemotePackage) =>
  (chunk: NamedChunk): boolean =>
    laterSlots.has(slotOf(chunk) ?? '');

const isFirstSlot =
  (remote: RemotePackage) =>
  (chunk: NamedChunk): boolean =>
    isMainPageSlot(remote)(chunk) && !isLaterSlot(remote)(chunk);

/** Name of the chunk of the styles that one slot alone uses. */
export const stylesChunk = (slot: string): string => `${slot}-styles`;

function container(remote: RemotePackage, side: Side) {
  return new webpack.container.ModuleFederationPlugin({
    name: containerGlobal(remote.name),
    ...(side === 'web' ? { filename: 'remoteEntry.js' } : {}),
    library:
      side === 'web' ? { type: 'var', name: containerGlobal(remote.name) } : { type: 'commonjs-module' },
    exposes: Object.fromEntries(
      Object.entries(remote.slots).map(([slot, file]) => [
        `./${slot}`,
        { import: file, name: exposeChunk(slot) },
      ]),
    ),
    // No fallback copies: the release gate refuses ranges that the shell does not satisfy.
    shared: Object.fromEntries(
      Object.entries(remote.shared).map(([module, requiredVersion]) => [
        module,
        { singleton: true, strictVersion: true, requiredVersion, import: false as const },
      ]),
    ),
  });
}

/** webpack configuration of a remote for the browser. */
function webConfiguration(remote: RemotePackage, { isRefreshable = false }): Configuration {
  const { directory, name } = remote;
  return {
    ...commonConfiguration('web', directory, { isRefreshable, owner: name }),
    name: `${name} web`,
    target: WEB_TARGET,
    entry: {},
    output: {
      path: join(directory, 'dist/web'),
      clean: true,
      // Otherwise webpack trusts the content of a file that has the right name and size.
      compareBeforeEmit: false,
      publicPath: 'auto',
      uniqueName: name,
      chunkFilename: '[name].[contenthash:8].js',
      // Outside the release: source maps are for the team only.
      sourceMapFilename: '../maps/[file].map',
      crossOriginLoading: 'anonymous',
      trustedTypes: { policyName: `${name}#webpack` },
    },
    optimization: {
      chunkIds: 'named',
      // As in the shell; the short numbers also compress better.
      moduleIds: 'natural',
      minimizer: minimizers(),
      // Short names instead of stable ones: a release is built as a whole.
      mangleExports: 'size',
      splitChunks: {
        cacheGroups: {
          default: false,
          defaultVendors: false,
          // A remote's slots share most of their code and load together: one file, one request.
          slots: { name: 'slots', chunks: isMainPageSlot(remote), enforce: true },
          // What none of the others needs. Before the group above, which else would take it.
          laterSlots: {
            name: 'later-slots',
            test: (module, { chunkGraph }) =>
              ![...chunkGraph.getModuleChunksIterable(module)].some(isFirstSlot(remote)),
            chunks: isLaterSlot(remote),
            enforce: true,
            priority: 1,
          },
          // Styles that one slot alone uses: a page has them where it has that slot.
          slotStyles: {
            name: (_module: unknown, [chunk]: readonly NamedChunk[]) =>
              stylesChunk(slotOf(chunk ?? {}) ?? ''),
            type: 'css/mini-extract',
            // The rest is for the group `slots`: its chunk must come last in each slot's chunk group, or scripts that slots load get no integrity.
            test: (module, { chunkGraph }) => [...chunkGraph.getModuleChunksIterable(module)].length === 1,
            chunks: isMainPageSlot(remote),
            // Less is not worth a file.
            minSize: { 'css/mini-extract': 2000 },
            minRemainingSize: 0,
            priority: 5,
          },
          laterStyles: laterStyles(isSlot),
        },
      },
    },
    plugins: [
      container(remote, 'web'),
      // No runtime: the shell links a slot's styles before the slot's HTML.
      new MiniCssExtractPlugin({
        filename: '[name].[contenthash:8].css',
        chunkFilename: '[name].[contenthash:8].css',
        runtime: false,
      }),
      // Lazy: slots share one file, and eager hashing would know the chunks of only one slot.
      new SubresourceIntegrityPlugin({ hashFuncNames: ['sha384'], hashLoading: 'lazy', enabled: true }),
    ],
  };
}

/** webpack configuration of a remote for the shell's server renderer. */
function nodeConfiguration(remote: RemotePackage): Configuration {
  const { directory, name } = remote;
  return {
    ...commonConfiguration('node', directory, { owner: name }),
    name: `${name} node`,
    // Chunks are loaded with `require`, which the shell serves only from the release's verified files.
    target: 'node24',
    entry: {},
    output: {
      path: join(directory, 'dist/node'),
      clean: true,
      compareBeforeEmit: false,
      publicPath: '',
      uniqueName: name,
      filename: 'remoteEntry.cjs',
      chunkFilename: '[name].cjs',
    },
    optimization: { minimize: false, splitChunks: false, chunkIds: 'named' },
    plugins: [container(remote, 'node')],
  };
}

/** The builds of a remote. Components of a refreshable one can be replaced in an open page (`npm run dev`). */
export const defineRemote = (
  remote: RemotePackage,
  options: { isRefreshable?: boolean } = {},
): Configuration[] => [webConfiguration(remote, options), nodeConfiguration(remote)];
