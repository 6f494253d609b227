// Shared modules are there only after an asynchronous import.
void import('./page.mjs');
