import { randomUUID } from 'node:crypto';
import { Router, type RequestHandler, type Response } from 'express';
import { bootRemote, bootSlot } from '../../../server/compose/boot.ts';
import { releaseOf } from '../../../server/compose/renderSlots.ts';
import { ALL_PLACEMENTS } from '../../../server/layout/layouts.ts';
import type { LiveRemotes } from '../../../server/releases/snapshot.ts';
import type { LoadedRelease } from '../../../server/rendering/release.ts';
import type { LocalBuild } from '../both/testerBoot.ts';

/** How often open pages are told of new releases; ms. */
const CHECK_EVERY_MS = 50;

/** Boot data of one release: itself and its slots, as a page without the server's HTML would get them. */
export function bootBuild(release: LoadedRelease): LocalBuild {
  const snapshot = new Map([[release.manifest.name, release]]);
  const slots = ALL_PLACEMENTS.filter((placement) => releaseOf(placement, snapshot)).map((placement) =>
    bootSlot({ placement, release, rendered: undefined }, new Set()),
  );
  return { remote: bootRemote(release), slots };
}

/**
 * `GET …/builds`, while `npm run dev` runs: server-sent events. `shell` names this process, so that a page of another
 * one reloads; `build` is the boot data of a live release: first of every remote, then of each new release.
 */
export class BuildStream {
  readonly #live: () => LiveRemotes;
  /** Names this process. */
  readonly process = randomUUID();
  /** Open pages, each with the releases that it was told of. */
  readonly #clients = new Map<Response, Set<LoadedRelease>>();
  readonly #timer: NodeJS.Timeout;

  constructor(live: () => LiveRemotes) {
    this.#live = live;
    this.#timer = setInterval(() => this.#tellAll(), CHECK_EVERY_MS);
    this.#timer.unref();
  }

  get routes(): Router {
    return Router().get('/builds', this.#open);
  }

  readonly #open: RequestHandler = (_request, response) => {
    // A compressed stream would be held back.
    response.set({ 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store, no-transform' });
    response.write(`event: shell\ndata: ${this.process}\n\n`);
    this.#clients.set(response, new Set());
    response.once('close', () => this.#clients.delete(response));
    this.#tellAll();
  };

  #tellAll(): void {
    for (const [response, told] of this.#clients) {
      for (const { live: release } of this.#live().values()) {
        if (told.has(release)) continue;
        told.add(release);
        response.write(`event: build\ndata: ${JSON.stringify(bootBuild(release))}\n\n`);
      }
    }
  }

  /** Ends the streams, which would keep the shell from stopping. */
  close(): void {
    clearInterval(this.#timer);
    for (const response of this.#clients.keys()) response.end();
  }
}
