import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import vm from 'node:vm';
import { checkStyles } from '@forecourt/releases/checkStyles';
import { containerGlobal, policyNamesOf } from '@forecourt/releases/containerNames';
import { describeRefusal } from '@forecourt/releases/gate';
import { integrityOf } from '@forecourt/releases/integrity';
import { type ReleaseManifest, releaseManifestSchema, remoteNameSchema } from '@forecourt/releases/manifest';
import { classTag } from '@forecourt/releases/ownNames';
import { checkCopies } from '@forecourt/releases/secondCopies';
import { isModuleSyntax } from '@forecourt/releases/serverContainer';
import { MANIFEST_FILE } from '@forecourt/release-kit/releaseFiles';
import {
  installedContracts,
  localProvides,
  packageOf,
  providingFolder,
  readPackage,
  versionOf,
} from '../provides.ts';
import { CodedError } from './codedError.ts';
import { evaluateRelease } from './evaluateRelease.ts';
import {
  entryPath,
  FEDERATION_MANIFEST,
  type FederationManifest,
  readFederationManifest,
} from './federationManifest.ts';
import { moduleEntrySource } from './moduleEntry.ts';

export interface PackOptions {
  /** Folder of the remote's package. */
  readonly directory: string;
  /** Folders of its builds, and where the release goes; absolute. */
  readonly web: string;
  readonly node: string;
  readonly out: string;
  readonly version: string | undefined;
}

const posix = (path: string): string => path.replaceAll('\\', '/');
const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => posix(relative(folder, join(entry.parentPath, entry.name))))
    .sort();

/** Of the browser's side: what pages or other hosts load. Of the server's: what it runs. No release has hidden files. */
const PARTS = {
  web: /^(?!.*\.(?:map|html|zip|d\.ts)$)(?!mf-stats\.json$)(?!(?:.*\/)?\.)/,
  node: /^(?!(?:.*\/)?\.)(?!mf-).*\.[cm]?js$/,
} as const;

/** A dependency on a tarball or a git address has no range. */
const RANGE = /^[\d^~<>=*]/;

const NODE_ENTRIES = ['remoteEntry.cjs', 'remoteEntry.mjs', 'remoteEntry.ssr.js', 'remoteEntry.js'];

function readRemote({ directory }: PackOptions) {
  const file = join(directory, 'package.json');
  if (!existsSync(file))
    throw new CodedError(
      'NO_PACKAGE',
      `${directory} has no package.json: name the folder of the remote's package`,
    );
  const own = readPackage(file);
  const name = own.name.split('/').at(-1) ?? '';
  if (!remoteNameSchema.safeParse(name).success)
    throw new CodedError(
      'REMOTE_NAME',
      `'${own.name}' can't be the name of a remote: call the package by lowercase letters, digits and hyphens`,
    );
  const contracts = installedContracts(directory);
  if (!contracts.has('@forecourt/slots'))
    throw new CodedError(
      'CONTRACT_MISSING',
      `${own.name} does not depend on @forecourt/slots, or it is not installed: add it to dependencies, and install`,
    );
  const modules = [...contracts.values()].flatMap(({ forecourt }) => forecourt?.sharedModules ?? []);
  const shared = Object.fromEntries(
    modules.flatMap((module) => {
      const range = own.dependencies[packageOf(module)];
      if (range === undefined) return [];
      return [[module, RANGE.test(range) ? range : `^${versionOf(packageOf(module), directory)}`]];
    }),
  );
  const versions = [...contracts].map(([contract, { version }]) => [contract, version] as const);
  return { name, version: own.version, contracts: Object.fromEntries(versions), shared };
}

/** The federation plugin's manifest of the browser's side, checked against the remote. */
function readWebBuild({ web }: PackOptions, name: string): FederationManifest {
  const manifest = existsSync(web) ? readFederationManifest(web) : undefined;
  if (!manifest)
    throw new CodedError(
      'FEDERATION_MANIFEST',
      `${web} has no ${FEDERATION_MANIFEST}: build for browsers with \`manifest: true\` of the federation plugin, or name the folder by --web`,
    );
  const container = manifest.metaData.globalName ?? manifest.name;
  if (container !== containerGlobal(name))
    throw new CodedError(
      'CONTAINER_NAME',
      `the container of ${name} is called '${container}': set \`name: '${containerGlobal(name)}'\` of the federation plugin`,
    );
  if (manifest.exposes.length === 0)
    throw new CodedError(
      'NO_SLOTS',
      `${name} exposes nothing: add \`exposes: { './SLOT': … }\` to the federation plugin`,
    );
  return manifest;
}

function findNodeEntry({ node }: PackOptions): string {
  const files = existsSync(node) ? filesOf(node) : [];
  const described = files.length > 0 ? readFederationManifest(node)?.metaData : undefined;
  const candidates = [
    ...(described?.ssrRemoteEntry ? [entryPath(described.ssrRemoteEntry)] : []),
    ...NODE_ENTRIES,
    ...(described ? [entryPath(described.remoteEntry)] : []),
  ];
  const entry = candidates.find((path) => files.includes(path));
  if (entry !== undefined) return entry;
  throw new CodedError(
    'NODE_BUILD_MISSING',
    `${node} has no remoteEntry: build the remote for Node, too, because the shell renders it on the server, or name the folder by --node`,
  );
}

function copySide(from: string, to: string, side: keyof typeof PARTS): void {
  for (const path of filesOf(from)) {
    if (!PARTS[side].test(path)) continue;
    mkdirSync(dirname(join(to, side, path)), { recursive: true });
    cpSync(join(from, path), join(to, side, path));
  }
}

function describeFiles(out: string): ReleaseManifest['files'] {
  const paths = filesOf(out).filter((path) => path !== MANIFEST_FILE);
  return Object.fromEntries(
    paths.map((path) => {
      const bytes = readFileSync(join(out, path));
      return [path, { integrity: integrityOf(bytes), bytes: bytes.length }];
    }),
  );
}

/** Whether pages can load the file only as an ES module. */
function isModule(source: string): boolean {
  try {
    // Parses it without running it.
    void new vm.Script(source);
    return false;
  } catch (error) {
    return isModuleSyntax(error);
  }
}

/** The entry that pages load: the container itself, or a script that is written for one that is an ES module. */
function prepareEntry(out: string, name: string, container: string): Omit<ReleaseManifest['entry'], 'node'> {
  const read = (path: string) => readFileSync(join(out, 'web', path));
  if (!isModule(read(container).toString('utf8'))) return { web: `web/${container}` };
  const modules = filesOf(join(out, 'web')).filter((path) => path.endsWith('.js'));
  const entry = 'forecourtEntry.js';
  writeFileSync(
    join(out, 'web', entry),
    moduleEntrySource(
      name,
      container,
      modules.map((path) => [path, integrityOf(read(path))]),
    ),
  );
  return { web: `web/${entry}`, modules: modules.map((path) => `web/${path}`) };
}

/** Scripts that pages would load without integrity, or could not load because of their policy. */
function checkLazyScripts(
  { name, entry, slots, files }: ReleaseManifest,
  read: (path: string) => string,
): void {
  if (entry.modules) return;
  const first = new Set([entry.web, ...Object.values(slots).flatMap(({ scripts }) => scripts)]);
  const scripts = Object.keys(files).filter((path) => path.startsWith('web/') && path.endsWith('.js'));
  const lazy = scripts.filter((path) => !first.has(path));
  if (lazy.length === 0) return;
  const sources = scripts.map(read).join('\n');
  const unguarded = lazy.filter((path) => !sources.includes(files[path]?.integrity ?? path));
  if (unguarded.length > 0)
    throw new CodedError(
      'SCRIPT_UNGUARDED',
      `pages would load ${unguarded.join(', ')} without integrity: add webpack-subresource-integrity (sha384), or import it statically`,
    );
  if (!policyNamesOf(name).some((policy) => sources.includes(policy)))
    throw new CodedError(
      'SCRIPT_POLICY',
      `pages would not let ${name} load ${lazy.join(', ')}: set \`output.trustedTypes: { policyName: '${name}#webpack' }\``,
    );
}

const contentVersion = (version: string, files: ReleaseManifest['files']): string =>
  `${version}-build.x${createHash('sha256').update(JSON.stringify(files)).digest('hex').slice(0, 12)}`;

/** A slot's entry of the manifest without what only its module knows. */
function describeSlots(
  { exposes }: FederationManifest,
  { entry, files }: Pick<ReleaseManifest, 'entry' | 'files'>,
): ReleaseManifest['slots'] {
  const known = (paths: readonly string[]) =>
    [...new Set(paths.map((path) => `web/${path}`))].filter((path) => Object.hasOwn(files, path));
  return Object.fromEntries(
    exposes.map(({ path: expose, assets: { js, css } }) => [
      expose.slice('./'.length),
      {
        expose,
        reads: [],
        loads: false,
        scripts: entry.modules ? [] : known(js.sync).filter((path) => path !== entry.web),
        styles: known([...css.sync, ...css.async]),
      },
    ]),
  );
}

/** Writes the release of a build by any toolchain into `out`, and returns its manifest. @throws CodedError */
export async function packBuild(options: PackOptions): Promise<ReleaseManifest> {
  const { directory, out } = options;
  const remote = readRemote(options);
  const federation = readWebBuild(options, remote.name);
  const nodeEntry = findNodeEntry(options);
  if ([options.web, options.node].some((folder) => `${resolve(folder)}/`.startsWith(`${resolve(out)}/`)))
    throw new CodedError('OUT_FOLDER', `${out} has the build itself: name another folder by --out`);
  rmSync(out, { recursive: true, force: true });
  for (const side of ['web', 'node'] as const) copySide(options[side], out, side);
  const entry = {
    ...prepareEntry(out, remote.name, entryPath(federation.metaData.remoteEntry)),
    node: `node/${nodeEntry}`,
  };
  const files = describeFiles(out);
  const draft: ReleaseManifest = {
    schema: 1,
    name: remote.name,
    version: options.version ?? contentVersion(remote.version, files),
    contracts: remote.contracts,
    shared: remote.shared,
    entry,
    slots: describeSlots(federation, { entry, files }),
    files,
  };
  const read = (path: string) => readFileSync(join(out, path));
  const [copy] = checkCopies(draft, read);
  if (copy) throw new CodedError(copy.rule, `${copy.found}; ${copy.remedy}`);
  const [style] = checkStyles(draft, read);
  if (style)
    throw new CodedError(
      style.rule,
      `${describeRefusal(style).slice(style.rule.length + 2)}; names of classes must end with '${classTag(draft.name)}'`,
    );
  checkLazyScripts(draft, (path) => read(path).toString('utf8'));
  const { shared } = await localProvides(directory);
  const { slots, refusals } = await evaluateRelease({
    dist: out,
    manifest: draft,
    directory: providingFolder(directory),
    shared,
  });
  const [refusal] = refusals;
  if (refusal || !slots)
    throw new CodedError(
      refusal?.rule ?? 'MODULE_LOAD',
      refusal ? describeRefusal(refusal).slice(refusal.rule.length + 2) : 'no slot loads; build again',
    );
  const manifest = releaseManifestSchema.parse({
    ...draft,
    slots: Object.fromEntries(
      Object.entries(draft.slots).map(([slot, facts]) => [slot, { ...facts, ...slots[slot] }]),
    ),
  });
  writeFileSync(join(out, MANIFEST_FILE), `${JSON.stringify(manifest, null, 2)}\n`);
  return manifest;
}
