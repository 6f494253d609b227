import { readFileSync, readdirSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SHELL_OWNER, classTag, fileTag } from '@forecourt/releases/ownNames';
import { transformSync } from '@swc/core';

const isDevelopment = (): boolean => process.env['NODE_ENV'] === 'development';

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const lettersOf = (index: number): string =>
  (index < LETTERS.length ? '' : lettersOf(Math.floor(index / LETTERS.length) - 1)) +
  LETTERS.charAt(index % LETTERS.length);

/** The folder of a contract package's modules in a file's path, in the workspace and where it is installed. */
const CONTRACT =
  /^(.*[\\/](?:shared-contracts|@forecourt)[\\/](slots|search|upstream|releases)[\\/](?:src|dist))[\\/]/;

/** The classes of a CSS module in order of their first appearance. */
const classesIn = (file: string): string[] => [
  ...new Set(Array.from(readFileSync(file, 'utf8').matchAll(/\.([a-z_][\w-]*)/gi), ([, name = '']) => name)),
];

const isLater = (file: string) => file.endsWith('.later.module.css');

type ClassNumbers = ReadonlyMap<string, number>;

/** Numbers of all classes in the CSS modules of a folder; those of the first view come first and get the shortest names. */
function numberClasses(folder: string): ClassNumbers {
  const classes = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.module.css'))
    .map((file) => file.replaceAll('\\', '/'))
    .sort((a, b) => Number(isLater(a)) - Number(isLater(b)) || (a < b ? -1 : 1))
    .flatMap((file) => classesIn(join(folder, file)).map((local) => `${file} ${local}`));
  return new Map(classes.map((name, index) => [name, index]));
}

/** Numbers the classes of each folder once, for names that belong to one state of its files. */
export function createClassNumbering(): (folder: string) => ClassNumbers {
  const numbered = new Map<string, ClassNumbers>();
  return (folder) => {
    const numbers = numbered.get(folder) ?? numberClasses(folder);
    numbered.set(folder, numbers);
    return numbers;
  };
}

/**
 * The folder whose classes are numbered together, their owner, and whether the file has a number. Contract modules that a
 * shell shares have the same classes wherever they are installed; what a remote bundles of a contract has the remote's.
 */
function placeOf(owner: string, directory: string, file: string) {
  const [, contract, contractName = ''] = CONTRACT.exec(file) ?? [];
  const folder = contract ?? join(directory, 'src');
  const path = relative(folder, file).replaceAll('\\', '/');
  const contractOwner = `@forecourt/${contractName}`;
  if (contract === undefined) return { folder, path, owner, isNumbered: !path.startsWith('../') };
  if (owner === SHELL_OWNER) return { folder, path, owner: contractOwner, isNumbered: true };
  return { folder, path: `${contractOwner} ${path}`, owner, isNumbered: false };
}

/**
 * 'bC2d': letters for the number of the class, and the tag of the owner, by which the gate knows a release's own classes.
 * Equal in the web and node builds, so that hydration matches. Short, because names are a tenth of a page. Classes outside
 * the package are not numbered: 'bAb1C2d' has the place of the class in its file, and a hash of the file's path.
 * Development builds name the class: 'title-Ab1C2d'.
 * @param owner the remote's name, or `SHELL_OWNER`
 * @param directory of the package that is built
 * @param numbersOf shared by names of one build
 */
export function className(
  owner: string,
  directory: string,
  file: string,
  local: string,
  numbersOf = createClassNumbering(),
): string {
  const place = placeOf(owner, directory, file);
  const tag = fileTag(place.owner, place.path);
  if (isDevelopment()) return `${local}-${tag}`;
  const index = place.isNumbered
    ? numbersOf(place.folder).get(`${place.path} ${local}`)
    : classesIn(file).indexOf(local);
  if (index === undefined || index < 0) return `${local}-${tag}`;
  return lettersOf(index) + (place.isNumbered ? classTag(place.owner) : tag);
}

/** The folder that class names of a file depend on. */
export const classFolder = (owner: string, directory: string, file: string): string =>
  placeOf(owner, directory, file).folder;

/** The classes of a contract's CSS module as in a shell's pages. */
export function contractClassNames(file: string): Record<string, string> {
  const numbersOf = createClassNumbering();
  return Object.fromEntries(
    classesIn(file).map((local) => [local, className(SHELL_OWNER, '', file, local, numbersOf)]),
  );
}

/**
 * Lets this Node process import TSX, JSON and CSS modules as bundlers do, so that a build can load the
 * contract modules that it provides to a release. Class names are those of the contract in a shell's pages.
 * Node evaluates a module once; another `contractBuild` evaluates the contracts again.
 */
export function registerTsx(contractBuild = 0): { deregister(): void } {
  return registerHooks({
    resolve(specifier, context, nextResolve) {
      const resolved = nextResolve(specifier, context);
      const isRenewed = contractBuild > 0 && /\/(?:shared-contracts|@forecourt)\/[^?]+$/.test(resolved.url);
      return isRenewed ? { ...resolved, url: `${resolved.url}?build=${contractBuild}` } : resolved;
    },
    load(fullUrl, context, nextLoad) {
      const url = fullUrl.replace(/\?.*$/, '');
      if (/\.css$/.test(url)) {
        const source = `export default ${JSON.stringify(contractClassNames(fileURLToPath(url)))};`;
        return { format: 'module', source, shortCircuit: true };
      }
      if (/\.tsx$/.test(url)) {
        const { code } = transformSync(readFileSync(fileURLToPath(url), 'utf8'), {
          jsc: {
            target: 'es2023',
            parser: { syntax: 'typescript', tsx: true },
            transform: { react: { runtime: 'automatic' } },
          },
        });
        return { format: 'module', source: code, shortCircuit: true };
      }
      // `require` has no attributes, and bundlers need none for JSON.
      const attributes = context.importAttributes as ImportAttributes | undefined;
      if (/\.json$/.test(url) && attributes && attributes['type'] === undefined) {
        const source = `export default ${readFileSync(fileURLToPath(url), 'utf8')};`;
        return { format: 'module', source, shortCircuit: true };
      }
      return nextLoad(fullUrl, context);
    },
  });
}
