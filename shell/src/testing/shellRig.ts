import { createSlugReference, type SlugData } from '@forecourt/search/criteria';
import { defineSlot, type SlotModule, usePageState } from '@forecourt/slots';
import { CALLS, type CallName } from '@forecourt/upstream/calls';
import { searchResponseSchema } from '@forecourt/upstream/entities';
import { createElement } from 'react';
import { type AppRig, type AppRigOptions, startAppRig } from '../engine/testing/appRig.ts';
import { createApp } from '../marketplace/app.ts';
import { readConfig } from '../marketplace/config.ts';
import type { ShellDeps } from '../marketplace/shellDeps.ts';
import { SITE_PLAN } from '../marketplace/site.ts';

export type ShellRig = AppRig<CallName>;

function Hero() {
  return createElement(
    'h1',
    null,
    usePageState((state) => state.search.texts.heading),
  );
}
const hero: SlotModule = defineSlot({ reads: ['search.texts'], view: Hero });
const empty: SlotModule = defineSlot({ reads: [], view: () => null });

const SLUGS: SlugData = {
  makes: [
    { code: 'FORD', name: 'Ford', slug: 'ford', models: [{ code: 'F150', name: 'F-150', slug: 'f150' }] },
  ],
};
const REFERENCE = createSlugReference(SLUGS);

/**
 * Starts the shell's app on a free port with a stubbed gateway: `answers` has stubs
 * by call; other calls return their fallback, and the search has no results.
 */
export function startShell(
  options: Pick<AppRigOptions<CallName>, 'answers' | 'live' | 'render'> & {
    deps?: Partial<ShellDeps>;
    environment?: Record<string, string>;
  } = {},
): Promise<ShellRig> {
  const { answers, live, render, deps, environment } = options;
  const search = () => searchResponseSchema.parse({ listings: [], owners: [], totalResultCount: 0 });
  const { speculationRules } = SITE_PLAN;
  return startAppRig(
    { table: CALLS, speculationRules, answers: { search, ...answers }, live, render },
    (adapters) =>
      createApp(
        {
          ...adapters,
          reference: {
            current: () => REFERENCE,
            data: () => SLUGS,
            renew: () => Promise.resolve(false),
            start: () => Promise.resolve(),
            stop: () => {},
          },
          ownSlots: { hero, related: empty },
          ...deps,
        },
        readConfig({ ...environment }),
      ),
  );
}
