import { startScriptsAfterLoad } from './engine/browser/startScripts.ts';
import { startEarlySearch } from './marketplace/results/browser/earlySearch.ts';

// Inlined into every page, and run long before `main.ts`.
const { dataset } = document.documentElement;
// Styles of slots may leave out what is still incomplete.
dataset['arriving'] = '';
document.addEventListener('readystatechange', () => delete dataset['arriving']);
// The rest of the page is shown once it is interactive and idle, or as soon as the visitor looks further.
for (const type of ['scroll', 'resize'])
  window.addEventListener(type, () => delete dataset['firstView'], { capture: true, once: true });

const earlySearch = startEarlySearch();
window.fcEarlySearch = earlySearch;
startScriptsAfterLoad(earlySearch.settled);
