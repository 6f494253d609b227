import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SHELL_OWNER, fileTag } from '@forecourt/releases/ownNames';
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

/**
 * 'bAb1C2d': the place of the class in its file, a hash of the file's path, and the tag of the owner, by which the gate knows
 * a release's own classes. Equal in the web and node builds, so that hydration matches. Contract modules that a shell shares
 * have the same classes wherever they are installed; what a remote bundles of a contract has the remote's. Short, and one hash
 * per file, because names are a tenth of a compressed page. Development builds name the class: 'title-Ab1C2d'.
 * @param owner the remote's name, or `SHELL_OWNER`
 */
export function className(owner: string, root: string, file: string, local: string): string {
  const [, contract, contractName = ''] = CONTRACT.exec(file) ?? [];
  const path = relative(contract ?? root, file).replaceAll('\\', '/');
  const contractOwner = `@forecourt/${contractName}`;
  const tag =
    contract === undefined
      ? fileTag(owner, path)
      : owner === SHELL_OWNER
        ? fileTag(contractOwner, path)
        : fileTag(owner, `${contractOwner} ${path}`);
  const index = classesIn(file).indexOf(local);
  return isDevelopment() || index < 0 ? `${local}-${tag}` : lettersOf(index) + tag;
}

/** The classes of a contract's CSS module as in a shell's pages. */
export const contractClassNames = (file: string): Record<string, string> =>
  Object.fromEntries(classesIn(file).map((local) => [local, className(SHELL_OWNER, '', file, local)]));

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
