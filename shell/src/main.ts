import './engine/browser/withoutEval.ts';

const nextTask = (): Promise<void> =>
  (globalThis as { scheduler?: { yield?: () => Promise<void> } }).scheduler?.yield?.() ??
  new Promise((resolve) => setTimeout(resolve));

/**
 * Evaluates the page's code step by step: in one task it would block a slow phone for a third of a second. The first steps
 * are the singletons that remotes share, as listed in the contract's package.json. webpack provides a shared module only if
 * the host itself imports it.
 */
const STEPS: readonly (() => Promise<unknown>)[] = [
  () => import(/* webpackMode: "eager" */ 'react'),
  () => import(/* webpackMode: "eager" */ 'react/jsx-runtime'),
  () => import(/* webpackMode: "eager" */ 'react-dom'),
  () => import(/* webpackMode: "eager" */ 'react-dom/client'),
  () => import(/* webpackMode: "eager" */ 'react-redux'),
  () => import(/* webpackMode: "eager" */ '@forecourt/search/criteria'),
  () => import(/* webpackMode: "eager" */ '@forecourt/search/url'),
  () => import(/* webpackMode: "eager" */ '@forecourt/search/catalog'),
  () => import(/* webpackMode: "eager" */ '@forecourt/search/query'),
  () => import(/* webpackMode: "eager" */ '@forecourt/search/state'),
  () => import(/* webpackMode: "eager" */ '@forecourt/slots/ui'),
  () => import(/* webpackMode: "eager" */ '@forecourt/slots'),
  () => import(/* webpackMode: "eager" */ './start.ts'),
];

async function run(): Promise<void> {
  for (const step of STEPS) {
    await nextTask();
    await step();
  }
}
void run();
