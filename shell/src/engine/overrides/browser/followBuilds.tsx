import { OVERRIDES_PATH } from '@forecourt/releases/overridePaths';
import type { SlotModule } from '@forecourt/slots';
import { isSlotModule } from '@forecourt/slots/module';
import type { ModuleFederation } from '@module-federation/enhanced/runtime';
import { createAssets } from '../../browser/assets.ts';
import type { StartedPage } from '../../browser/startEngine.ts';
import type { BootData } from '../../universal/bootData.ts';
import { messageOf } from '../../universal/messageOf.ts';
import type { LocalBuild, TesterBoot } from '../universal/testerBoot.ts';
import { useSyncExternalStore, type ReactNode } from 'react';

interface SwappableSlot {
  /** False if only a reload of the page can show the new module. */
  readonly canSwap: (next: SlotModule) => boolean;
  /** Makes `next` current; `paint` renders it. */
  readonly swap: (next: SlotModule) => void;
  readonly paint: () => void;
}

/**
 * Changes a slot module in place, so that it always runs the newest build of the slot. The page's core holds one module
 * per slot for its lifetime.
 */
export function makeSwappable(module: SlotModule): SwappableSlot {
  let current = { ...module };
  let builds = 0;
  const views = new Set<() => void>();
  const subscribe = (view: () => void) => {
    views.add(view);
    return () => views.delete(view);
  };
  const read = () => current;

  function View({ data }: { data: unknown }): ReactNode {
    const { view: CurrentView } = useSyncExternalStore(subscribe, read, read);
    return <CurrentView data={data} />;
  }

  const { load } = module;
  Object.assign(module, {
    view: View,
    ...(load && {
      load: (context) => (current.load ?? load)(context),
      // Data is loaded again by each build.
      loadKey: (state) => `${builds} ${current.loadKey?.(state) ?? ''}`,
      isComplete: (data) => current.isComplete?.(data) ?? true,
    }),
  } satisfies Partial<SlotModule>);

  return {
    canSwap: (next) => (next.load === undefined) === (load === undefined),
    swap(next) {
      current = next;
      builds += 1;
    },
    paint() {
      for (const view of views) view();
    },
  };
}

/** React Refresh, installed by the development build of the shell before React. */
interface ReactRefresh {
  readonly register: (type: unknown, id: string) => void;
  readonly performReactRefresh: () => unknown;
}

interface Container {
  readonly init: (shareScope: object) => unknown;
  readonly get: (expose: string) => Promise<() => { default?: unknown }>;
}

type Host = Pick<ModuleFederation, 'loadRemote' | 'registerPlugins' | 'shareScopeMap'>;

const page = globalThis as unknown as Record<string, unknown>;
const fileName = (url: string) => url.split('/').at(-1) ?? url;
/** 'slots.1a2b3c4d.css' → 'slots' */
const chunkName = (url: string) => fileName(url).split('.')[0];

/** Links the styles of a build in place of those of the build before. */
async function replaceStyles(build: LocalBuild, loadStyle: (url: string) => Promise<void>): Promise<void> {
  const links = () => [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')];
  const own = (link: HTMLLinkElement) =>
    new URL(link.href).pathname.startsWith(`/remotes/${build.remote.name}/`);
  for (const url of new Set(build.slots.flatMap(({ styles }) => styles))) {
    const previous = links().find((link) => own(link) && chunkName(link.href) === chunkName(url));
    if (previous && fileName(previous.href) === fileName(url)) continue;
    await loadStyle(url);
    if (!previous) continue;
    // The same place in the cascade.
    const added = links().at(-1);
    if (added) previous.after(added);
    previous.remove();
  }
}

/** Runs the container of a build beside the one that the page started with, and returns its slot modules by slot. */
async function loadModules(build: LocalBuild, host: Host): Promise<Map<string, SlotModule>> {
  const { name, entry, integrity } = build.remote;
  const assets = createAssets(integrity);
  const identifier = name.replaceAll('-', '_');
  // Otherwise the new container would take the chunks of the one before for its own.
  delete page[`webpackChunk${identifier}`];
  const scripts = [entry, ...build.slots.flatMap((slot) => slot.scripts)];
  await Promise.all([...scripts.map(assets.script), replaceStyles(build, assets.style)]);
  const container = page[identifier] as Container;
  await container.init(host.shareScopeMap['default'] ?? {});
  const modules = await Promise.all(
    build.slots.map(async ({ slot, expose }) => {
      const { default: module } = (await container.get(expose))();
      if (!isSlotModule(module)) throw new Error(`${name} exposes no slot as ${expose}`);
      return [slot, module] as const;
    }),
  );
  return new Map(modules);
}

/** Slots of the open page, by `remote/slot`, and the versions of their builds. */
class FollowedPage {
  readonly #host: Host;
  readonly #boot: BootData;
  readonly #versions: Map<string, string>;
  readonly #slots = new Map<string, SwappableSlot>();
  /** Undefined in a page of `forecourt dev`, whose builds are those of production. */
  readonly #refresh: ReactRefresh | undefined;
  #store: StartedPage['store'] | undefined;
  #hasFailed = false;

  constructor(boot: BootData, host: Host) {
    this.#boot = boot;
    this.#host = host;
    this.#versions = new Map(boot.remotes.map(({ name, version }) => [name, version]));
    const tester = boot.extension?.data as TesterBoot | undefined;
    if (tester?.shellProcess !== undefined)
      this.#refresh = page['forecourtRefresh'] as ReactRefresh | undefined;
    host.registerPlugins([
      {
        name: 'forecourt-builds',
        onLoad: ({ id, exposeModule }) => {
          const { default: module } = (exposeModule ?? {}) as { default?: unknown };
          if (isSlotModule(module)) this.#follow(id, module);
        },
      },
    ]);
  }

  watch({ store, bus }: StartedPage): void {
    this.#store = store;
    // A failed slot shows the server's HTML; only a reload mounts it again.
    bus.on('slot.failed').subscribe(() => (this.#hasFailed = true));
  }

  /** A family of views across builds keeps its state; without an id of its own the slot's view has none. */
  #follow(id: string, module: SlotModule): void {
    this.#refresh?.register(module.view, `${id} view`);
    if (!this.#slots.has(id)) this.#slots.set(id, makeSwappable(module));
  }

  /** Shows a build, if the page has another one of the remote. Throws when only a reload can show it. */
  async show(build: LocalBuild): Promise<void> {
    const { name, version } = build.remote;
    const own = this.#boot.slots.filter(({ remote }) => remote === name);
    if (own.length === 0 || (this.#versions.get(name) ?? version) === version) return;
    if (this.#hasFailed) throw new Error('the page cannot swap slots');
    const idOf = (slot: string) => `${name}/${slot}`;
    // The federation runtime loads each container once: later it would load the files of the build before.
    await Promise.all(own.map(({ slot }) => this.#host.loadRemote(idOf(slot))));
    const modules = await loadModules(build, this.#host);
    const swaps = own.map(({ slot }) => ({
      slot: this.#slots.get(idOf(slot)),
      next: modules.get(slot),
      id: idOf(slot),
    }));
    for (const { slot, next, id } of swaps) {
      if (!slot || !next || !slot.canSwap(next)) throw new Error(`${id} cannot be swapped`);
      this.#refresh?.register(next.view, `${id} view`);
      slot.swap(next);
    }
    this.#refresh?.performReactRefresh();
    for (const { slot } of swaps) slot?.paint();
    // Slots that load data compare their keys whenever the store changes.
    this.#store?.dispatch({ type: 'builds/shown' });
    this.#versions.set(name, version);
    performance.mark(`build:${name}@${version}:shown`);
  }
}

/**
 * While `npm run dev` or `forecourt dev` runs, shows each new build of a remote in the open page: its slots are replaced. The
 * state of their components is kept in the former (React Refresh), that of everything else in both. What cannot be replaced reloads the page: another shell, other contracts, a slot that failed.
 */
export function followBuilds(
  boot: BootData,
  host: Host,
  reloadPage = () => window.location.reload(),
): (started: StartedPage) => void {
  const tester = boot.extension?.data as TesterBoot;
  const overridden = new Set(
    tester.chosen.flatMap(({ remote, why }) => (why === 'override' ? [remote] : [])),
  );
  const followed = new FollowedPage(boot, host);
  return (started) => {
    followed.watch(started);
    const events = new EventSource(`${OVERRIDES_PATH}/builds`);
    let shell = tester.shellProcess;
    let shown = Promise.resolve();
    const reload = () => {
      events.close();
      reloadPage();
    };
    events.addEventListener('shell', ({ data }: MessageEvent<string>) => {
      if (shell !== undefined && shell !== data) reload();
      shell = data;
    });
    events.addEventListener('build', ({ data }: MessageEvent<string>) => {
      const build = JSON.parse(data) as LocalBuild;
      if (overridden.has(build.remote.name)) return;
      shown = shown
        .then(() => followed.show(build))
        .catch((error: unknown) => {
          // eslint-disable-next-line no-console
          console.info(`Reloading for ${build.remote.name}: ${messageOf(error)}`);
          reload();
        });
    });
  };
}
