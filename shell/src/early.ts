import { loadLaterStyles } from './engine/browser/laterStyles.ts';
import { startScriptsAfterLoad } from './engine/browser/startScripts.ts';
import { startEarlySearch } from './marketplace/results/browser/earlySearch.ts';

// Inlined into every page, and run long before `main.ts`.
const { dataset } = document.documentElement;
// Styles of slots may leave out what is still incomplete.
dataset['arriving'] = '';
document.addEventListener('readystatechange', () => delete dataset['arriving']);
// The rest of the page is shown once it is interactive and idle, or as soon as the visitor looks further.
const showRest = () => {
  delete dataset['firstView'];
  loadLaterStyles();
};
for (const type of ['scroll', 'resize'])
  window.addEventListener(type, showRest, { capture: true, once: true });

const earlySearch = startEarlySearch();
window.fcEarlySearch = earlySearch;
startScriptsAfterLoad(async () => {
  await earlySearch.settled();
  if (dataset['firstView'] === '') dataset['firstView'] = 'loaded';
});
