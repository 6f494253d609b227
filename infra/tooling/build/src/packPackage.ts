import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';
import { AMBIENT, compileOnce, filesOf } from './compiledPackages.ts';
import { readPackageJson, workspaceRoot } from './sharedModules.ts';

// `npm pack` in a published package runs `packPackage.ts prepare` before and `packPackage.ts restore` after
// (ADR 14): the workspace runs TypeScript source, the tarball holds compiled JavaScript, types and source maps.

type Json = Record<string, unknown>;

const isSource = (path: string): boolean => /\.tsx?$/.test(path) && !/\.d\.ts$/.test(path);

/** './src/ui/index.ts' → './dist/ui/index.js' */
const compiledPath = (path: string): string =>
  path.replace(/^\.\/src\//, './dist/').replace(/(?<!\.d)\.tsx?$/, '.js');

function compiledExport(target: unknown): unknown {
  if (typeof target !== 'string') return target;
  const compiled = compiledPath(target);
  return isSource(target) ? { types: compiled.replace(/\.js$/, '.d.ts'), default: compiled } : compiled;
}

/**
 * Where the package comes from, in a workflow of GitHub (https://docs.github.com/actions/reference/workflows-and-actions/variables):
 * npm takes provenance only if the package names the repository that the workflow runs in.
 */
export const repositoryOf = (
  { GITHUB_SERVER_URL, GITHUB_REPOSITORY }: Readonly<Record<string, string | undefined>>,
  directory: string,
): Json | undefined =>
  GITHUB_SERVER_URL === undefined || GITHUB_REPOSITORY === undefined
    ? undefined
    : { type: 'git', url: `git+${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}.git`, directory };

/** package.json of the tarball: exports point to `dist`, and nothing refers to the workspace. */
export function publishablePackage(source: Json, repository?: Json): Json {
  const { scripts: _scripts, devDependencies: _devDependencies, ...rest } = source;
  const exports = Object.entries(source['exports'] as Json).map(([path, target]) => [
    path,
    compiledExport(target),
  ]);
  // Lerna reads it again while it packs, and runs the `postpack` that it has by then.
  return {
    ...rest,
    ...(repository && { repository }),
    scripts: { postpack: 'node --version' },
    exports: Object.fromEntries(exports) as Json,
  };
}

const compilerOptions: ts.CompilerOptions = {
  noEmit: false,
  incremental: false,
  declaration: true,
  sourceMap: true,
  inlineSources: true,
  // Node runs it and webpack bundles it unchanged for the supported browsers.
  target: ts.ScriptTarget.ES2022,
  rewriteRelativeImportExtensions: true,
  // `npm run types` checks; this only emits.
  noCheck: true,
};

/** TypeScript leaves `.ts` in the imports of declaration files. */
const withCompiledImports = (declarations: string): string =>
  declarations.replace(/((?:from|import)\s*\(?\s*['"]\.{1,2}\/[^'"]*)\.tsx?(['"])/g, '$1.js$2');

/** Compiles `src` of the package into `dist` and copies styles and plain JavaScript there. */
function compile(directory: string, root: string): void {
  const sources = join(directory, 'src');
  const dist = join(directory, 'dist');
  rmSync(dist, { recursive: true, force: true });
  const files = filesOf(sources);
  const config = ts.getParsedCommandLineOfConfigFile(join(root, 'tsconfig.json'), compilerOptions, {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: ({ messageText }) => {
      throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'));
    },
  });
  if (!config) throw new Error(`no tsconfig.json in ${root}`);
  const { tsBuildInfoFile: _, ...options } = config.options;
  const program = ts.createProgram([...files.filter(isSource).map((path) => join(sources, path)), AMBIENT], {
    ...options,
    outDir: dist,
    rootDir: sources,
  });
  for (const path of files) {
    const target = join(dist, path);
    mkdirSync(dirname(target), { recursive: true });
    if (isSource(path)) emit(program, join(sources, path));
    else cpSync(join(sources, path), target);
  }
}

/** Writes script and declarations of one source. @throws Error if it has exports whose types cannot be declared */
function emit(program: ts.Program, source: string): void {
  const { emitSkipped, diagnostics } = program.emit(program.getSourceFile(source), (file, text) =>
    writeFileSync(file, /\.d\.ts$/.test(file) ? withCompiledImports(text) : text),
  );
  if (!emitSkipped) return;
  const reasons = diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
  throw new Error(`${source} has no declarations: ${reasons.join('; ')}`);
}

/** The source package.json during a pack, outside the package so that it is never packed. */
const backupOf = (directory: string, root: string): string =>
  join(root, '.cache/pack', `${relative(root, directory).replaceAll(/[/\\]/g, '-')}.json`);

/** Restores the source package.json. A no-op unless a pack is in progress or was interrupted. */
export function restorePackage(directory: string): void {
  const backup = backupOf(directory, workspaceRoot(directory));
  if (existsSync(backup)) {
    cpSync(backup, join(directory, 'package.json'));
    rmSync(backup);
  }
}

/** The same for every package around `root`: what Lerna has packed is restored at its end, by the repository's `postpack`. */
export function restorePackages(root: string): void {
  const { workspaces = [] } = readPackageJson(root);
  for (const file of globSync(
    workspaces.map((pattern) => `${pattern}/package.json`),
    { cwd: root },
  ))
    restorePackage(join(root, dirname(file)));
}

/** Compiles the package and replaces its package.json by the publishable one. */
export function preparePackage(directory: string): void {
  restorePackage(directory);
  const root = workspaceRoot(directory);
  compileOnce(directory, root, () => compile(directory, root));
  const file = join(directory, 'package.json');
  const source = readFileSync(file, 'utf8');
  const backup = backupOf(directory, root);
  mkdirSync(dirname(backup), { recursive: true });
  writeFileSync(backup, source);
  // Last and in one step: until here an interruption leaves the workspace as it was.
  const draft = `${file}.new`;
  const repository = repositoryOf(process.env, relative(root, directory).replaceAll('\\', '/'));
  writeFileSync(
    draft,
    `${JSON.stringify(publishablePackage(JSON.parse(source) as Json, repository), null, 2)}\n`,
  );
  renameSync(draft, file);
}

if (import.meta.main) {
  const directory = resolve(process.cwd());
  if (process.argv[2] === 'prepare') preparePackage(directory);
  else if (process.argv[2] === 'restore-all') restorePackages(directory);
  else restorePackage(directory);
}
