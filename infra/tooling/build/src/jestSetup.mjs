import { expect } from '@jest/globals';

// jsdom has no layout; these stubs behave like an unscrolled page on a large screen.
if (typeof window !== 'undefined') {
  // They take a tenth of a second to load, which tests without a page are spared.
  const matchers = await import('@testing-library/jest-dom/matchers');
  expect.extend(matchers.default ?? matchers);
  // Its default of 1 s is short beside other tests.
  const { configure } = await import('@testing-library/dom');
  configure({ asyncUtilTimeout: 10_000 });
  window.matchMedia ??= (query) => ({
    matches: /min-width/.test(query),
    media: query,
    onchange: null,
    addEventListener() {},
    removeEventListener() {},
    addListener() {},
    removeListener() {},
    dispatchEvent: () => false,
  });
  window.HTMLDialogElement.prototype.showModal ??= function showModal() {
    this.open = true;
  };
  window.HTMLDialogElement.prototype.close ??= function close() {
    if (!this.open) return;
    this.open = false;
    this.dispatchEvent(new window.Event('close'));
  };
  window.Element.prototype.scrollIntoView ??= () => {};
  window.IntersectionObserver ??= class {
    observe() {}
    unobserve() {}
    disconnect() {}
  };
}
