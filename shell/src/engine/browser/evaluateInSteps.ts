import './withoutEval.ts';
import './slots.css';

const nextTask = (): Promise<void> =>
  (globalThis as { scheduler?: { yield?: () => Promise<void> } }).scheduler?.yield?.() ??
  new Promise((resolve) => setTimeout(resolve));

type Step = () => Promise<unknown>;

/**
 * The singletons that remotes of every site share, as listed in the slots contract's package.json. webpack provides a
 * shared module only if the host itself imports it.
 */
const SHARED: readonly Step[] = [
  () => import(/* webpackMode: "eager" */ 'react'),
  () => import(/* webpackMode: "eager" */ 'react/jsx-runtime'),
  () => import(/* webpackMode: "eager" */ 'react-dom'),
  () => import(/* webpackMode: "eager" */ 'react-dom/client'),
  () => import(/* webpackMode: "eager" */ 'react-redux'),
  () => import(/* webpackMode: "eager" */ '@forecourt/slots/ui'),
  () => import(/* webpackMode: "eager" */ '@forecourt/slots'),
];

/**
 * Evaluates a page's code step by step: in one task it would block a slow phone for a third of a second. `steps` are the
 * singletons of the site's contract and the start of the page.
 */
export async function evaluateInSteps(...steps: readonly Step[]): Promise<void> {
  for (const step of [...SHARED, ...steps]) {
    await nextTask();
    await step();
  }
}
