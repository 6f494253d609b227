/** @jest-environment jest-fixed-jsdom */
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { buildState } from '@forecourt/shared-contracts/testing';
import { createPageHistory, type PageHistory, type Visit } from './pageHistory.ts';

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
    history = createPageHistory(criteria);
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

  it('keeps the scroll offset of an entry, not with every scroll event', () => {
    const write = jest.spyOn(window.history, 'replaceState');
    for (let y = 1; y <= 50; y += 1) scrollPageTo(y * 10);
    jest.advanceTimersByTime(500);
    expect(write).toHaveBeenCalledTimes(1);
    expect(entry().scrollY).toBe(500);
  });

  it('restores the scroll itself, since results arrive later than the browser would scroll', () => {
    expect(window.history.scrollRestoration).toBe('manual');
  });

  it('scrolls a reloaded page to where it was', () => {
    expect(firstScroll).toEqual([[{ top: 340, behavior: 'instant' }]]);
  });

  it('reports the search that was gone back to, with its criteria and offset', async () => {
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

  it('makes no second entry for the same URL', () => {
    const { length } = window.history;
    history.write('push', '/cars-for-sale/used', used);
    expect(window.history).toHaveLength(length);
    history.write('push', '/cars-for-sale/used', used);
    expect(window.history).toHaveLength(length);
  });

  it('takes a jump within the page for no visit', async () => {
    window.history.pushState(null, '', '#slot-results');
    await back();
    expect(visits).toEqual([]);
  });

  describe('while a dialog is open', () => {
    beforeEach(() => history.write('push', `/cars-for-sale/all/${Math.random()}`, criteria));
    const path = () => window.location.pathname;

    it('lets Back close it, once, and leave the search with the next step', async () => {
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

    it('lets one step back leave the search after the dialog was closed otherwise', async () => {
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

    it('keeps the search that was made behind the dialog', async () => {
      const close = jest.fn();
      history.interceptBack(close);
      history.write('push', '/cars-for-sale/new', used);
      history.write('replace', '/cars-for-sale/new?a=1', used);
      await back();
      expect(close).toHaveBeenCalledTimes(1);
      expect(visits).toEqual([]);
      expect(window.location.search).toBe('?a=1');
    });

    it('closes one of two at a time', async () => {
      const outer = jest.fn();
      const inner = jest.fn();
      history.interceptBack(outer);
      history.interceptBack(inner);
      await back();
      expect([inner, outer].map((close) => close.mock.calls.length)).toEqual([1, 0]);
      await back();
      expect([inner, outer].map((close) => close.mock.calls.length)).toEqual([1, 1]);
    });

    it('closes it and goes on when somebody jumps further back', async () => {
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

  it('shows the top of the results only when it is above the screen', () => {
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
