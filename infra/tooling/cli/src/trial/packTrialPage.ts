import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Plugin } from 'esbuild';

/** The program of the page, from source or compiled. */
const PROGRAM = join(import.meta.dirname, `trialPage${extname(fileURLToPath(import.meta.url))}`);

/** What pages have one instance of, and the contracts: those of the shell, not the command's own. */
const PROVIDED = /^(?:react|react-dom|react-redux|@forecourt\/(?:slots|search|upstream|releases))(?:\/|$)/;

type ClassNames = (file: string) => Readonly<Record<string, string>>;

/** The classes of the contracts' style sheets as server and browsers have them; none where no build tools are installed. */
async function contractClassNames(directory: string): Promise<ClassNames> {
  try {
    const file = createRequire(join(directory, 'package.json')).resolve('@forecourt/build/loadTsx');
    const { contractClassNames: names } = (await import(pathToFileURL(file).href)) as {
      contractClassNames: ClassNames;
    };
    return names;
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'MODULE_NOT_FOUND') throw error;
    return () => ({});
  }
}

const provided = (directory: string, classNames: ClassNames): Plugin => ({
  name: 'provided',
  setup(build) {
    build.onResolve({ filter: PROVIDED }, ({ path, kind, pluginData }) =>
      pluginData === 'provided'
        ? undefined
        : build.resolve(path, { kind, resolveDir: directory, pluginData: 'provided' }),
    );
    build.onLoad({ filter: /\.css$/ }, ({ path }) => ({
      contents: JSON.stringify(classNames(path)),
      loader: 'json',
    }));
  },
});

/**
 * One script with the page's program and the modules that a shell shares, in the versions installed in `directory`. It begins when
 * it is loaded. @param shared module to version
 */
export async function packTrialPage(
  directory: string,
  shared: Readonly<Record<string, string>>,
): Promise<string> {
  const { build } = await import('esbuild');
  const modules = Object.entries(shared).map(
    ([name, version]) =>
      `${JSON.stringify(name)}: { version: ${JSON.stringify(version)}, module: require(${JSON.stringify(name)}) },`,
  );
  const { outputFiles } = await build({
    stdin: {
      contents: [
        `import { runTrial } from ${JSON.stringify(PROGRAM)};`,
        `void runTrial({ ${modules.join('\n')} });`,
      ].join('\n'),
      resolveDir: directory,
    },
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'iife',
    target: 'es2023',
    jsx: 'automatic',
    logLevel: 'silent',
    tsconfigRaw: '{}',
    define: { 'process.env.NODE_ENV': '"production"' },
    // The page's policy allows no `eval`.
    banner: { js: 'globalThis.__zod_globalConfig = { jitless: true };' },
    plugins: [provided(directory, await contractClassNames(directory))],
  });
  return outputFiles[0]?.text ?? '';
}
