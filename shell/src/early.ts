import { startEarlySearch } from './browser/earlySearch.ts';

// Inlined into every page, and run long before `main.ts`.
window.fcEarlySearch = startEarlySearch();
