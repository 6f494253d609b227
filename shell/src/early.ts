import { startEarlySearch } from './marketplace/results/browser/earlySearch.ts';

// Inlined into every page, and run long before `main.ts`.
const { dataset } = document.documentElement;
// Styles of slots may leave out what is still incomplete.
dataset['arriving'] = '';
document.addEventListener('readystatechange', () => delete dataset['arriving']);

window.fcEarlySearch = startEarlySearch();
