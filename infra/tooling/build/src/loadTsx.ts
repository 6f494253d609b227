import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/core';

/**
 * Lets this Node process import TSX, JSON and CSS modules as bundlers do, so that a build can load the
 * contract modules that it provides to a release. Class names are placeholders.
 * Node evaluates a module once; another `contractBuild` evaluates the contracts again.
 */
export function registerTsx(contractBuild = 0): { deregister(): void } {
  return registerHooks({
    resolve(specifier, context, nextResolve) {
      const resolved = nextResolve(specifier, context);
      const isRenewed = contractBuild > 0 && /\/shared-contracts\/[^?]+$/.test(resolved.url);
      return isRenewed ? { ...resolved, url: `${resolved.url}?build=${contractBuild}` } : resolved;
    },
    load(fullUrl, context, nextLoad) {
      const url = fullUrl.replace(/\?.*$/, '');
      if (/\.css$/.test(url)) {
        return {
          format: 'module',
          source: 'export default new Proxy({}, { get: (_, name) => name });',
          shortCircuit: true,
        };
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
