/** @jest-environment jest-fixed-jsdom */
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { buildState } from '@forecourt/search/testing';
import { PageHistory, type Visit } from './pageHistory.ts';

const { criteria } = buildState().search;
const used = { ...criteria, filters: { listingType: ['USED'] } };
const scrollTo = jest.fn();
const entry = () => (window.history.state as { forecourt: { scrollY: number } }).forecourt;

function scrollPageTo(y: number) {
  Object.assign(window, { scrollY: y });
  window.dispatchEvent(new Event('scroll'));
}
/** jsdom travels asynchronously. */
const back = () =>
  new Promise<void>((resolve) => {
    window.addEventListener('popstate', () => resolve(), { once: true });
    window.history.back();
  });

// One for the file: its listeners live as long as the document.
describe('page history', () => {
  let history: PageHistory;
  const visits: Visit[] = [];
  let firstScroll: unknown[] = [];
  beforeAll(() => {
    window.history.replaceState({ forecourt: { criteria, scrollY: 340 } }, '', '/cars-for-sale/all-cars');
    Object.assign(window, { scrollTo });
    window.requestAnimationFrame = (run) => {
      run(0);
      return 0;
    };
    jest.useFakeTimers({ doNotFake: ['queueMicrotask', 'setImmediate'] });
    history = new PageHistory(criteria);
    firstScroll = [...scrollTo.mock.calls];
    history.visits.subscribe((visit) => visits.push(visit));
  });
  afterAll(() => {
    jest.useRealTimers();
  });
  beforeEach(() => {
    history.arrive('keep');
    scrollTo.mockClear();
    visits.length = 0;
  });

  it('saves the scroll offset of an entry at most every 500 ms', () => {
    const write = jest.spyOn(window.history, 'replaceState');
    for (let y = 1; y <= 50; y += 1) scrollPageTo(y * 10);
    jest.advanceTimersByTime(500);
    expect(write).toHaveBeenCalledTimes(1);
    expect(entry().scrollY).toBe(500);
  });

  it("disables the browser's own scroll restoration", () => {
    expect(window.history.scrollRestoration).toBe('manual');
  });

  it('shows a page of the back/forward cache where it was left, also after the browser has set its offset to 0', () => {
    scrollPageTo(720);
    window.dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
    scrollPageTo(0);
    window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    expect(scrollTo.mock.calls).toEqual([[{ top: 720, behavior: 'instant' }]]);
    jest.advanceTimersByTime(20);
    expect(scrollTo.mock.calls).toHaveLength(2);
    expect(scrollTo).toHaveBeenLastCalledWith({ top: 720, behavior: 'instant' });
  });

  it('restores the scroll offset of a reloaded page', () => {
    expect(firstScroll).toEqual([[{ top: 340, behavior: 'instant' }]]);
  });

  it('reports a visited search with its criteria and offset', async () => {
    jest.useRealTimers();
    scrollPageTo(700);
    history.write('push', '/cars-for-sale/used', used);
    expect(window.location.pathname).toBe('/cars-for-sale/used');
    scrollPageTo(20);
    await back();
    expect(visits).toEqual([{ url: '/cars-for-sale/all-cars', criteria, scrollY: 700 }]);
    expect(scrollTo).not.toHaveBeenCalled();
    // Results that shrink before the new ones are there must not change what is remembered.
    scrollPageTo(0);
    history.write('replace', '/cars-for-sale/all-cars', criteria);
    expect(entry().scrollY).toBe(700);
    history.arrive(700);
    expect(scrollTo).toHaveBeenCalledWith({ top: 700, behavior: 'instant' });
  });

  it('adds no second entry for the same URL', () => {
    const { length } = window.history;
    history.write('push', '/cars-for-sale/used', used);
    expect(window.history).toHaveLength(length);
    history.write('push', '/cars-for-sale/used', used);
    expect(window.history).toHaveLength(length);
  });

  it('does not treat a jump within the page as a visit', async () => {
    window.history.pushState(null, '', '#slot-results');
    await back();
    expect(visits).toEqual([]);
  });

  describe('while a dialog is open', () => {
    beforeEach(() => history.write('push', `/cars-for-sale/all/${Math.random()}`, criteria));
    const path = () => window.location.pathname;

    it('closes it with the first Back and leaves the search with the next', async () => {
      const start = path();
      const close = jest.fn();
      const release = history.interceptBack(close);
      await back();
      release();
      expect(close).toHaveBeenCalledTimes(1);
      expect(path()).toBe(start);
      expect(visits).toEqual([]);
      await back();
      expect(path()).not.toBe(start);
      expect(close).toHaveBeenCalledTimes(1);
    });

    it('leaves the search with one Back when the dialog was closed by other means', async () => {
      const start = path();
      history.interceptBack(jest.fn())();
      await back();
      // The step over the spent entry takes a second one.
      await new Promise<void>((resolve) =>
        window.addEventListener('popstate', () => resolve(), { once: true }),
      );
      expect(path()).not.toBe(start);
      expect(visits).toHaveLength(1);
    });

    it('keeps a search that was made behind the dialog', async () => {
      const close = jest.fn();
      history.interceptBack(close);
      history.write('push', '/cars-for-sale/new', used);
      history.write('replace', '/cars-for-sale/new?a=1', used);
      await back();
      expect(close).toHaveBeenCalledTimes(1);
      expect(visits).toEqual([]);
      expect(window.location.search).toBe('?a=1');
    });

    it('closes one of two dialogs per Back', async () => {
      const outer = jest.fn();
      const inner = jest.fn();
      history.interceptBack(outer);
      history.interceptBack(inner);
      await back();
      expect([inner, outer].map((close) => close.mock.calls.length)).toEqual([1, 0]);
      await back();
      expect([inner, outer].map((close) => close.mock.calls.length)).toEqual([1, 1]);
    });

    it('closes it and continues when the visitor jumps further back', async () => {
      const start = path();
      const close = jest.fn();
      history.interceptBack(close);
      const gone = new Promise<void>((resolve) =>
        window.addEventListener('popstate', () => resolve(), { once: true }),
      );
      window.history.go(-2);
      await gone;
      expect(close).toHaveBeenCalledTimes(1);
      expect(path()).not.toBe(start);
      expect(visits).toHaveLength(1);
    });
  });

  it('scrolls to the top of the results only when it is above the viewport', () => {
    document.body.innerHTML = '<h1 tabindex="-1">Cars</h1><div id="slot-results"></div>';
    const results = document.getElementById('slot-results') as HTMLElement;
    const scrollIntoView = jest.fn();
    results.scrollIntoView = scrollIntoView;
    history.arrive('results');
    expect(scrollIntoView).not.toHaveBeenCalled();
    results.getBoundingClientRect = () => ({ top: -300 }) as DOMRect;
    history.arrive('results');
    expect(scrollIntoView).toHaveBeenCalledTimes(1);
  });

  it('moves the focus to the heading only when the followed link is gone', () => {
    document.body.innerHTML = '<h1 tabindex="-1">Cars</h1><a href="/x">Used</a>';
    const link = document.querySelector('a');
    link?.focus();
    history.arrive('results');
    expect(link).toHaveFocus();
    link?.remove();
    history.arrive('results');
    expect(document.querySelector('h1')).toHaveFocus();
  });
});
