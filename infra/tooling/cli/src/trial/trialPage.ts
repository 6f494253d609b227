// First: see there.
import { reactTimers, restoreTimers } from './reactTimers.ts';
import { EVENT_SCHEMAS } from '@forecourt/search/events';
import { type RootState, marketplaceState } from '@forecourt/search/state';
import { createShareScope, type SharedModules } from '@forecourt/releases/shareScope';
import { MAX_SLOT_ELEMENTS, SLOT_BUDGETS } from '@forecourt/releases/slotBudgets';
import type { SlotEnvironment, SlotModule } from '@forecourt/slots';
import { mountSlot } from '@forecourt/slots/browser';
import { createEventBus, type EventType } from '@forecourt/slots/events';
import { isSlotModule } from '@forecourt/slots/module';
import { renderSlot } from '@forecourt/slots/server';
import { sliceState } from '@forecourt/slots/slices';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { Leftovers } from './leftovers.ts';
import { PageFaults } from './pageFaults.ts';
import type { TrialFault, TrialPage, TrialRender, TrialResult, TrialTask } from './trialTask.ts';
import { describeDifference, shiftClock, speakOtherLanguage, withFilledStorage } from './unlikeServer.ts';

// Runs in the browser of a gate, in a page with the policy of a shell's.

/** For what modules start when they load. */
const AFTER_LOAD_MS = 50;
const LOOK_EVERY_MS = 5;
/** Looks without a change: effects and lazily loaded parts are done. Looks, because a busy machine stops page and clock apart. */
const QUIET_LOOKS = 6;
const MAX_SETTLE_MS = 2_000;
/** For what a slot stops after its last frame. */
const AFTER_UNMOUNT_MS = 150;

interface Container {
  readonly init?: (scope: object, initScope: object, options: object) => unknown;
  readonly get?: (module: string) => Promise<() => { default?: unknown }>;
}

restoreTimers();
// The page's own, which are not noted as a slot's.
const setTimeout = window.setTimeout.bind(window);
const wait = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));

/** A macrotask without delay, so that calls in a loop don't block the page. */
const soon = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });

const readJson = async <T>(path: string): Promise<T> => (await (await fetch(path)).json()) as T;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** https://w3c.github.io/trusted-types/ */
interface PolicyFactory {
  readonly createPolicy: <Rules extends Readonly<Record<string, (text: string) => string>>>(
    name: string,
    rules: Rules,
  ) => Rules;
}

/** Loads files and HTML as the shell does, which has a policy for them. */
class Loader {
  readonly #policy = (window as { trustedTypes?: PolicyFactory }).trustedTypes?.createPolicy('forecourt', {
    createScriptURL: (url) => url,
    createHTML: (html) => html,
  });

  /** Resolves to the ms that the script took to run. */
  script([url, integrity]: readonly [string, string]): Promise<number> {
    const script = document.createElement('script');
    return new Promise((resolve, reject) => {
      Object.assign(script, { integrity, crossOrigin: 'anonymous' });
      script.onload = () => {
        const { responseEnd = performance.now() } =
          (performance.getEntriesByName(script.src).at(-1) as PerformanceResourceTiming | undefined) ?? {};
        resolve(performance.now() - responseEnd);
      };
      script.onerror = () => reject(new Error(`cannot load ${url}`));
      Object.assign(script, { src: this.#policy?.createScriptURL(url) ?? url });
      document.head.append(script);
    });
  }

  style([href, integrity]: readonly [string, string]): Promise<void> {
    const link = document.createElement('link');
    return new Promise((resolve) => {
      Object.assign(link, { rel: 'stylesheet', href, integrity, crossOrigin: 'anonymous' });
      // The page reports it.
      link.onload = link.onerror = () => resolve();
      document.head.append(link);
    });
  }

  setHtml(element: Element, html: string): void {
    Object.assign(element, { innerHTML: this.#policy?.createHTML(html) ?? html });
  }
}

/** The release's modules, loaded as by a page. */
class TriedRelease {
  readonly modules = new Map<string, SlotModule>();
  evaluationMs = 0;
  failure: TrialResult['failure'];

  async load(
    task: TrialTask,
    page: { loader: Loader; faults: PageFaults; shared: SharedModules },
  ): Promise<void> {
    const seconds = task.loadMs / 1000;
    const late = wait(task.loadMs).then(() => {
      throw new Error(`it did not load in ${seconds} s`);
    });
    const state = {
      fault: 'ENTRY' as NonNullable<TrialResult['failure']>['fault'],
      taken: new Set<string>(),
    };
    try {
      await Promise.race([this.#load(task, page, state), late]);
    } catch (error) {
      const { fault, taken } = state;
      this.failure = {
        fault: fault === 'MODULE' && taken.size === 0 ? 'SHARE_SCOPE' : fault,
        message: messageOf(error),
      };
    }
  }

  async #load(
    task: TrialTask,
    { loader, faults, shared }: { loader: Loader; faults: PageFaults; shared: SharedModules },
    state: { fault: NonNullable<TrialResult['failure']>['fault']; taken: Set<string> },
  ): Promise<void> {
    for (const script of task.scripts) this.evaluationMs += await loader.script(script);
    const container = (globalThis as unknown as Record<string, Container | undefined>)[task.container];
    if (!container?.init || !container.get) {
      const [first] = faults.take();
      const reason = first ? `: ${first.message}` : '';
      throw new Error(`its entry does not set the global variable ${task.container}${reason}`);
    }
    state.fault = 'MODULE';
    const scope = createShareScope(shared, { from: 'shell', onTaken: (name) => state.taken.add(name) });
    const options = Object.defineProperty({ version: '', shareScopeKeys: 'default' }, 'shareScopeMap', {
      value: { default: scope },
    });
    await container.init(scope, [], options);
    for (const [slot, expose] of Object.entries(task.exposes)) {
      const startedAt = performance.now();
      const module = (await container.get(expose))().default;
      this.evaluationMs += performance.now() - startedAt;
      if (!isSlotModule(module)) throw new Error(`${expose} is no slot module`);
      this.modules.set(slot, module);
    }
    await wait(AFTER_LOAD_MS);
  }
}

/** Renders the slots of a release over recorded pages, one after the other. */
class Stage {
  readonly #faults: PageFaults;
  readonly #leftovers = new Leftovers();
  readonly #loader: Loader;
  readonly #pages = new Map<number, Promise<TrialPage>>();

  readonly #readyMs: number;

  /** A slot that is not interactive after `readyMs` is taken to stay so. */
  constructor({ faults, loader, readyMs }: { faults: PageFaults; loader: Loader; readyMs: number }) {
    this.#faults = faults;
    this.#readyMs = readyMs;
    this.#loader = loader;
  }

  async play(
    module: SlotModule,
    { slot, page: index, server }: TrialRender,
  ): Promise<TrialResult['renders'][number]> {
    const pending = this.#pages.get(index) ?? readJson<TrialPage>(`/page/${index}`);
    this.#pages.set(index, pending);
    const page = await pending;
    const element = document.createElement('div');
    Object.assign(element, { id: `slot-${slot}`, className: 'fc-slot' });
    element.dataset['slot'] = slot;
    document.body.append(element);
    if (server) {
      this.#loader.setHtml(element, server.html);
      await this.#compare(module, slot, page, server);
    }
    this.#leftovers.begin(element);
    const startedAt = performance.now();
    const { unmount, close } = await this.#mount(module, element, { slot, page, server });
    const ms = performance.now() - startedAt;
    await this.#settle(element);
    const html = element.innerHTML;
    unmount();
    close();
    await this.#checkLeftovers();
    element.remove();
    return { slot, page: index, ms, html, faults: this.#faults.take() };
  }

  /** Renders as hydration does at first, for a visitor elsewhere who has been here before. */
  async #compare(
    module: SlotModule,
    slot: string,
    { state, answers }: TrialPage,
    { html, data }: NonNullable<TrialRender['server']>,
  ): Promise<void> {
    try {
      const rendered = await withFilledStorage(() =>
        renderSlot(marketplaceState, module, {
          slot,
          state: sliceState(marketplaceState, state as RootState, module.reads),
          call: callOf(answers),
          signal: new AbortController().signal,
          loaded: { data },
        }),
      );
      if (rendered.html !== html) this.#faults.add('render', describeDifference(html, rendered.html));
    } catch (error) {
      this.#faults.add('render', error);
    }
  }

  #createEnvironment(slot: string, { answers }: TrialPage) {
    const faults = this.#faults;
    const bus = createEventBus(EVENT_SCHEMAS, ({ type, reason }) =>
      faults.add('error', `emits ${type}, which is refused: ${reason}`),
    );
    const answer = callOf(answers);
    let [events, calls, isOpen] = [0, 0, true];
    const environment: SlotEnvironment = {
      slot,
      emit(type, payload) {
        events += 1;
        if (events <= SLOT_BUDGETS.eventsPerSecond) return bus.emit(type, payload, slot);
        if (events === SLOT_BUDGETS.eventsPerSecond + 1)
          faults.add('error', `emits more than ${SLOT_BUDGETS.eventsPerSecond} events, at last ${type}`);
      },
      listen(type, receive) {
        const subscription = bus.on(type as EventType).subscribe((payload) => receive(payload as never));
        return () => subscription.unsubscribe();
      },
      call: async (name, ...more) => {
        calls += 1;
        if (calls === SLOT_BUDGETS.callsPerMinute + 1)
          faults.add('error', `makes more than ${SLOT_BUDGETS.callsPerMinute} calls, at last ${name}`);
        if (calls > SLOT_BUDGETS.callsPerMinute || !isOpen) await new Promise(() => {});
        return answer(name, ...more);
      },
      interceptBack: () => () => {},
      attachOutlet: () => () => {},
    };
    return { environment, close: () => void (isOpen = false) };
  }

  /** Resolves when the slot is interactive, or has failed. */
  async #mount(
    module: SlotModule,
    element: HTMLElement,
    { slot, page, server }: { slot: string; page: TrialPage; server: TrialRender['server'] },
  ) {
    const { environment, close } = this.#createEnvironment(slot, page);
    const ready = Promise.withResolvers<void>();
    const { unmount } = mountSlot({
      module,
      element,
      store: marketplaceState.createStore(page.state),
      environment,
      ...(server && { server: { state: page.state as RootState, data: server.data } }),
      onReady: () => ready.resolve(),
      onError: (phase, error) => {
        // Calls of recorded pages may fail; a slot that can't load shows what it has.
        if (phase !== 'load') this.#faults.add('render', error);
        ready.resolve();
      },
    });
    const readyMs = this.#readyMs;
    const isReady = await Promise.race([ready.promise.then(() => true), wait(readyMs).then(() => false)]);
    if (!isReady) this.#faults.add('render', `is not interactive after ${readyMs} ms`);
    return { unmount, close };
  }

  /** Until the page has been quiet for a while. */
  async #settle(element: HTMLElement): Promise<void> {
    let quietLooks = 0;
    const observer = new MutationObserver(() => (quietLooks = 0));
    const options = { childList: true, subtree: true, attributes: true, characterData: true };
    for (const target of [element, document.head]) observer.observe(target, options);
    const until = performance.now() + MAX_SETTLE_MS;
    while (quietLooks < QUIET_LOOKS && performance.now() < until) {
      await wait(LOOK_EVERY_MS);
      quietLooks = reactTimers.size === 0 ? quietLooks + 1 : 0;
    }
    observer.disconnect();
    if (quietLooks < QUIET_LOOKS)
      this.#faults.add('error', `still changes the page ${MAX_SETTLE_MS} ms after it was interactive`);
    const elements = element.getElementsByTagName('*').length;
    if (elements > MAX_SLOT_ELEMENTS) this.#faults.add('error', `has ${elements} elements`);
  }

  async #checkLeftovers(): Promise<void> {
    const until = performance.now() + AFTER_UNMOUNT_MS;
    while (this.#leftovers.list().length > 0 && performance.now() < until) await wait(LOOK_EVERY_MS);
    for (const leftover of this.#leftovers.list()) this.#faults.add('leftover', leftover);
    this.#leftovers.end();
  }
}

function callOf(answers: TrialPage['answers']): SlotEnvironment['call'] {
  return async (name) => {
    await soon();
    const answer = answers[name] ?? { code: 'UNREACHABLE' };
    if ('code' in answer)
      throw Object.assign(new Error(`${answer.code} (0)`), {
        name: 'CallError',
        code: answer.code,
        status: 0,
      });
    return answer.data as never;
  };
}

/** React adds a listener to the document with its first root, which is not a slot's. */
function warmUp(): void {
  const root = createRoot(document.createElement('div'));
  root.render(createElement('p'));
  root.unmount();
}

/** Loads the release, then renders its slots until one fails on a page. */
async function tryRelease(shared: SharedModules): Promise<TrialResult> {
  const task = JSON.parse(document.getElementById('task')?.textContent ?? '') as TrialTask;
  const faults = new PageFaults();
  const loader = new Loader();
  const release = new TriedRelease();
  warmUp();
  shiftClock();
  speakOtherLanguage();
  // Before the release can take hold of the functions that it watches.
  const stage = new Stage({ faults, loader, readyMs: task.readyMs });
  await Promise.all(task.styles.map((style) => loader.style(style)));
  await release.load(task, { loader, faults, shared });
  const { failure, evaluationMs } = release;
  const loadFaults: TrialFault[] = faults.take();
  const renders: TrialResult['renders'] = [];
  if (failure || loadFaults.length > 0)
    return { ...(failure && { failure }), loadFaults, evaluationMs, renders };
  const failed = new Set<string>();
  for (let number = 0; number < task.renders; number += 1) {
    const render = await readJson<TrialRender>(`/render/${number}`);
    const module = release.modules.get(render.slot);
    // Another page would show the same.
    if (!module || failed.has(render.slot)) continue;
    const result = await stage.play(module, render);
    if (result.faults.length > 0) failed.add(render.slot);
    renders.push(result);
  }
  return { loadFaults, evaluationMs, renders };
}

/** The page's program: tries the release of its task with these shared modules, sends the result, and waits for the next. */
export async function runTrial(shared: SharedModules): Promise<void> {
  const result = await tryRelease(shared).catch((error: unknown): TrialResult => ({
    failure: { message: `the trial failed: ${messageOf(error)}` },
    loadFaults: [],
    evaluationMs: 0,
    renders: [],
  }));
  await fetch('/result', { method: 'POST', body: JSON.stringify(result) });
  location.replace('/');
}
