import { act, screen, within } from '@testing-library/react';
import { FLAGS } from '@forecourt/search/brands';
import type { SearchState } from '@forecourt/search/state';
import { buildListing, buildState, mountInTestShell } from '@forecourt/search/testing';
import type { EventType } from '@forecourt/slots/events';
import type { TestCalls } from '@forecourt/slots/testing';
import type { Listing } from '@forecourt/upstream/entities';
import module from '../slots/results.tsx';
import { jest } from '@jest/globals';

/** Listings titled 'Vehicle 7' and so on. */
export const listings = (from: number, count: number): Listing[] =>
  Array.from({ length: count }, (_, at) =>
    buildListing({ id: String(from + at), title: `Vehicle ${from + at}` }),
  );

export const noSpotlights = { premium: [], featured: [], standard: [], fourthTier: [] };

interface MountedResults extends ReturnType<typeof mountInTestShell> {
  /** Payloads of the emitted events of a type. */
  readonly payloads: (type: EventType) => readonly unknown[];
  /** Waits for everything that loads after the first view. */
  readonly waitForLateParts: () => Promise<void>;
}

/** Mounts the results slot alone; ads and wallet are off by default. */
export function mountResults(
  search: Partial<SearchState> = {},
  session: Parameters<typeof buildState>[1] = {},
  calls: TestCalls = {},
): MountedResults {
  const state = buildState(search, { flags: { ...FLAGS, ads: false, wallet: false }, ...session });
  const shell = mountInTestShell(module, { state, calls });
  return {
    ...shell,
    payloads: (type) => shell.events.filter((event) => event.type === type).map((event) => event.payload),
    waitForLateParts: () =>
      act(async () => {
        await Promise.all([import('../results/LaterParts.tsx'), import('../grid/CarouselArrows.tsx')]);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }),
  };
}

/** Titles of the cards in order. Uses a selector because finding sixty cards by role takes seconds. */
export const cards = (): (string | null)[] =>
  [...document.querySelectorAll('article h3')].map(({ textContent }) => textContent);

export const card = (name: string) => within(screen.getByRole('article', { name }));

/** Opens the menus of all cards. */
export async function openMenus(): Promise<void> {
  await act(async () => {
    for (const menu of document.querySelectorAll<HTMLDetailsElement>('article details')) {
      menu.open = true;
      menu.dispatchEvent(new Event('toggle'));
    }
  });
}

/** Mocks requests for ad creatives with a status or a network failure; returns the requests made. */
export function mockCreatives(respond: (path: string) => number | 'nothing' = () => 200): string[] {
  const requests: string[] = [];
  jest.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const path = input as string;
    if (!path.startsWith('/ads/creative')) throw new Error(`this test has no ${path}`);
    requests.push(`${init?.method ?? 'GET'} ${path}`);
    const status = respond(path);
    if (status === 'nothing') throw new TypeError('Failed to fetch');
    return new Response(null, { status });
  });
  return requests;
}
