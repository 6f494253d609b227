import { pathToFileURL } from 'node:url';
import type { Provider } from '@openfeature/server-sdk';

/**
 * The OpenFeature provider that a module exports as its default, itself or as a
 * function that makes it: the way to plug any flag service in. Throws when the
 * module has none.
 */
export async function loadProvider(path: string): Promise<Provider> {
  // Not the bundle's business: the module is the deployment's own.
  const module = (await import(/* webpackIgnore: true */ pathToFileURL(path).href)) as { default?: unknown };
  const exported: unknown =
    typeof module.default === 'function' ? await (module.default as () => unknown)() : module.default;
  if (typeof (exported as Partial<Provider> | undefined)?.resolveBooleanEvaluation !== 'function')
    throw new Error(`FLAG_PROVIDER: ${path} exports no OpenFeature provider`);
  return exported as Provider;
}
