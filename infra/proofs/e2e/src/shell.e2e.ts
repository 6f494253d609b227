import assert from 'node:assert/strict';
import { browser } from '@wdio/globals';
import { allowConsoleErrors } from './consoleErrors.ts';
import { describe, it } from 'mocha';
import { openResults, shownListings, shownPath, waitForSlots } from './resultsPage.ts';

const PAGE = '/cars-for-sale/all/ford?searchRadius=0&zip=60601';

describe('the frame of the page', () => {
  // rows: B2-SKIP-01
  it('skips to the listings with the first Tab and Enter', async () => {
    await openResults(PAGE);
    await browser.keys('Tab');
    const text = await browser.execute(() => document.activeElement?.textContent);
    assert.equal(text, 'Skip to vehicle Listings');
    await browser.keys('Enter');
    const isThere = await browser.execute(() => {
      const listings = document.getElementById('listings');
      const { top } = listings?.getBoundingClientRect() ?? { top: 1e6 };
      return window.location.hash === '#listings' && Math.abs(top) < window.innerHeight / 2;
    });
    assert.ok(isThere, 'the listings are on screen');
    // The next Tab continues from there.
    await browser.keys('Tab');
    const isInside = await browser.execute(
      () => document.getElementById('listings')?.contains(document.activeElement) ?? false,
    );
    assert.ok(isInside, 'the focus is within the listings');
  });

  // rows: A7-SW-02
  it('registers its service worker for all pages below /cars-for-sale/', async () => {
    await openResults(PAGE);
    const scope = await browser.executeAsync((done: (scope: string) => void) => {
      const { trustedTypes } = window as unknown as {
        trustedTypes: { createPolicy(name: string, rules: object): { createScriptURL(url: string): string } };
      };
      // As a remote would; allowed by the page's Content Security Policy.
      const policy = trustedTypes.createPolicy('mfe-leads#scripts', {
        createScriptURL: (url: string) => url,
      });
      void navigator.serviceWorker
        .register(policy.createScriptURL('/cars-for-sale/api/firebase-messaging-sw.js'), {
          scope: '/cars-for-sale/',
        })
        .then(
          async (registration) => {
            const { scope: registered } = registration;
            await registration.unregister();
            done(registered);
          },
          (error: unknown) => done(String(error)),
        );
    });
    assert.equal(new URL(scope).pathname, '/cars-for-sale/');
  });

  it("gives no code of the page another remote's script policy", async () => {
    allowConsoleErrors(/TrustedTypePolicy/);
    await openResults(PAGE);
    const outcome = await browser.execute(() => {
      interface Factory {
        createPolicy(name: string, rules: object): { createScriptURL(url: string): string };
      }
      // As code of a release, which runs in the same realm.
      const { trustedTypes, TrustedTypePolicyFactory } = window as unknown as {
        trustedTypes: Factory;
        TrustedTypePolicyFactory: { prototype: Factory };
      };
      const boot = JSON.parse(document.getElementById('fc-boot')?.textContent ?? '{}') as {
        remotes: { name: string; entry: string }[];
      };
      const asIs = { createScriptURL: (url: string) => url, createHTML: (html: string) => html };
      const isRefused = (act: () => unknown) => {
        try {
          act();
          return false;
        } catch {
          return true;
        }
      };
      const names = [
        ...['forecourt', 'forecourt#early', 'forecourt#entry', 'shell#webpack'],
        ...boot.remotes.flatMap(({ name }) => [`${name}#webpack`, `${name}#scripts`]),
      ];
      const taken = names.filter(
        (name) =>
          !isRefused(() => TrustedTypePolicyFactory.prototype.createPolicy.call(trustedTypes, name, asIs)),
      );
      const isReplaced = !isRefused(() =>
        Object.defineProperty(trustedTypes, 'createPolicy', { value: () => asIs }),
      );
      // By name, it gets what the page allows that remote.
      const entries = boot.remotes.map(({ entry }) => entry);
      const reached = boot.remotes.map(({ name }) => {
        const policy = trustedTypes.createPolicy(`${name}#webpack`, asIs);
        return entries.filter((entry) => !isRefused(() => policy.createScriptURL(entry)));
      });
      return { remotes: boot.remotes.length, taken, isReplaced, reached, entries };
    });
    assert.ok(outcome.remotes >= 4);
    assert.deepEqual(outcome.taken, []);
    assert.equal(outcome.isReplaced, false);
    assert.deepEqual(
      outcome.reached,
      outcome.entries.map((entry) => [entry]),
    );
  });

  // What the threat model says is not stopped.
  it('has no means against policies of an empty frame, but loads scripts of this origin only', async () => {
    allowConsoleErrors(/Content Security Policy/);
    await openResults(PAGE);
    const outcome = await browser.executeAsync((done: (outcome: object) => void) => {
      const frame = document.createElement('iframe');
      document.body.append(frame);
      const { trustedTypes } = frame.contentWindow as unknown as {
        trustedTypes: { createPolicy(name: string, rules: object): { createScriptURL(url: string): string } };
      };
      const policy = trustedTypes.createPolicy('mfe-leads#scripts', {
        createScriptURL: (url: string) => url,
      });
      const entry = document.querySelector<HTMLScriptElement>('script[src*="/remotes/"]')?.src ?? '';
      const load = (url: string) =>
        new Promise<string>((resolve) => {
          const script = document.createElement('script');
          script.onload = () => resolve('loaded');
          script.onerror = () => resolve('refused');
          script.src = policy.createScriptURL(url);
          document.head.append(script);
        });
      void Promise.all([load(`${entry}?again`), load('https://evil.example/x.js')]).then(([own, other]) =>
        done({ own, other }),
      );
    });
    assert.deepEqual(outcome, { own: 'loaded', other: 'refused' });
  });

  it('hydrates a cached page like a fresh one', async () => {
    const outcome = () =>
      browser.execute(() => {
        const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
        return entry?.serverTiming.find(({ name }) => name === 'page')?.description;
      });
    const path = `${PAGE}&utm_campaign=kept`;
    await openResults(path);
    // Pages with a late slot (cold start, busy machine) are not cached.
    await browser.waitUntil(
      async () => {
        await openResults(path);
        return (await outcome()) === 'hit';
      },
      { timeout: 40_000, interval: 100, timeoutMsg: 'no page is kept' },
    );
    await waitForSlots('toolbar', 'filters', 'results');
    await browser.execute(() =>
      document.querySelector<HTMLElement>('#slot-filters summary, #slot-filters button')?.focus(),
    );
  });
});

describe('returning from a vehicle with Back', () => {
  it('restores page, scroll position and focus when Back returns from a vehicle', async () => {
    await openResults(PAGE);
    const listings = await shownListings();
    const eighth = listings[7] ?? '';
    const topOf = () =>
      browser.execute((path: string) => {
        const link = [...document.querySelectorAll<HTMLAnchorElement>('[data-tile="listing"] h3 a')].find(
          ({ pathname }) => pathname === path,
        );
        link?.scrollIntoView({ block: 'center' });
        return Math.round(link?.getBoundingClientRect().top ?? -1);
      }, eighth);
    const before = await topOf();
    await browser.execute((path: string) => {
      [...document.querySelectorAll<HTMLAnchorElement>('[data-tile="listing"] h3 a')]
        .find(({ pathname }) => pathname === path)
        ?.click();
    }, eighth);
    await browser.waitUntil(async () => (await shownPath()).startsWith(eighth), { timeout: 10_000 });
    await browser.back();
    await browser.waitUntil(async () => (await shownPath()).startsWith('/cars-for-sale/all/ford'), {
      timeout: 10_000,
    });
    await waitForSlots('results');
    const place = () =>
      browser.execute(() => {
        const active = document.activeElement as HTMLAnchorElement | null;
        return { path: active?.pathname ?? '', top: Math.round(active?.getBoundingClientRect().top ?? -1) };
      });
    await browser
      .waitUntil(async () => (await place()).path === eighth, { timeout: 5000 })
      .catch(async () => {
        const state = await browser.execute(() => [
          JSON.stringify((window.history.state as { forecourt?: { left?: object } } | null)?.forecourt?.left),
          (performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming | undefined)?.type,
        ]);
        assert.fail(
          `the focus is not on ${eighth}: ${JSON.stringify(await place())}, left ${state.join(', ')}`,
        );
      });
    const { top } = await place();
    assert.ok(Math.abs(top - before) <= 80, `at ${top} px, was at ${before} px`);
    assert.deepEqual(await shownListings(), listings);
  });
});
