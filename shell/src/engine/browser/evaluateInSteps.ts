import './withoutEval.ts';
import './slots.css';
import { createHost } from './federationHost.ts';

const nextTask = (): Promise<void> =>
  (globalThis as { scheduler?: { yield?: () => Promise<void> } }).scheduler?.yield?.() ??
  new Promise((resolve) => setTimeout(resolve));

/** Modules that a page shares with its remotes, by name. */
type SharedImports = Readonly<Record<string, () => Promise<object>>>;

/** The singletons that remotes of every site share, as listed in the slots contract's package.json. */
const SHARED: SharedImports = {
  react: () => import(/* webpackMode: "eager" */ 'react'),
  'react/jsx-runtime': () => import(/* webpackMode: "eager" */ 'react/jsx-runtime'),
  'react-dom': () => import(/* webpackMode: "eager" */ 'react-dom'),
  'react-dom/client': () => import(/* webpackMode: "eager" */ 'react-dom/client'),
  'react-redux': () => import(/* webpackMode: "eager" */ 'react-redux'),
  '@forecourt/slots/ui': () => import(/* webpackMode: "eager" */ '@forecourt/slots/ui'),
  '@forecourt/slots': () => import(/* webpackMode: "eager" */ '@forecourt/slots'),
};

/**
 * Evaluates a page's code step by step, because in one task it would block a slow phone for a third of a second: the singletons
 * of the site's contract, which remotes then share, and the start of the page.
 */
export async function evaluateInSteps(shared: SharedImports, start: () => Promise<unknown>): Promise<void> {
  const modules: Record<string, object> = {};
  for (const [name, load] of Object.entries({ ...SHARED, ...shared })) {
    await nextTask();
    modules[name] = await load();
  }
  createHost(modules);
  await nextTask();
  await start();
}
