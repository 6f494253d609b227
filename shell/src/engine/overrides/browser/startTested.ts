import { getInstance } from '@module-federation/enhanced/runtime';
import type { PersonalParts } from '../../browser/browserSite.ts';
import type { StartedPage, StartExtended } from '../../browser/startEngine.ts';
import type { BootData, BootSlot } from '../../universal/bootData.ts';
import { LOCAL_BUILD, OVERRIDES_PATH } from '@forecourt/releases/overridePaths';
import { overrideStateId, type LocalBuild, type TesterBoot } from '../universal/testerBoot.ts';
import { messageOf } from '../../universal/messageOf.ts';

/** Timeout for manifest and gate together, including bodies; ms. */
const TIMEOUT_MS = 5_000;
const MAX_MANIFEST_CHARACTERS = 256 * 1024;

/** Reads at most `limit` characters. */
async function readText(response: Response, limit: number): Promise<string> {
  if (!response.ok) throw new Error(`${response.url} returned status ${response.status}`);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
    if (done) return text;
    text += value;
    if (text.length > limit) {
      await reader?.cancel();
      throw new Error(`${response.url} is longer than ${limit} characters`);
    }
  }
}

/** The build served by the tester's machine, checked by the shell's gate. Rejects with the reason. */
async function fetchLocalBuild(remote: string, origin: string): Promise<LocalBuild> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const manifest = await fetch(`${origin}${LOCAL_BUILD.manifestPath}`, {
    signal,
    credentials: 'omit',
    redirect: 'error',
    cache: 'no-store',
  }).catch((error: unknown) => {
    // Browsers do not expose the reason.
    throw new Error(`${origin} is unreachable (${messageOf(error)})`);
  });
  const response = await fetch(`${OVERRIDES_PATH}/local-build?remote=${encodeURIComponent(remote)}`, {
    method: 'POST',
    signal,
    headers: { 'Content-Type': 'text/plain' },
    body: await readText(manifest, MAX_MANIFEST_CHARACTERS),
  });
  const body = (await response.json()) as LocalBuild & { error?: { message: string } };
  if (!response.ok) throw new Error(body.error?.message ?? `the shell returned status ${response.status}`);
  return body;
}

/** The server's HTML is from the live release, so the local build's slots render without hydration. */
function slotWith(slot: BootSlot, { slots }: LocalBuild): BootSlot {
  const own = slots.find((candidate) => candidate.slot === slot.slot);
  if (!own) return slot;
  return { ...own, rendered: slot.rendered === 'none' ? 'none' : 'fallback' };
}

function withLocalBuild(boot: BootData, build: LocalBuild): BootData {
  const { name } = build.remote;
  return {
    ...boot,
    remotes: [...boot.remotes.filter((remote) => remote.name !== name), build.remote],
    slots: boot.slots.map((slot) => (slot.remote === name ? slotWith(slot, build) : slot)),
  };
}

/** Reports in the page's banner that the live release is shown instead. */
function reportFailure(remote: string, reason: string): void {
  const element = document.getElementById(overrideStateId(remote));
  if (!element) return;
  element.closest<HTMLElement>('[data-override]')?.setAttribute('data-state', 'failed');
  element.textContent = `${remote} shows the live release: the local build cannot be used. ${reason}`;
}

/** The boot data with local builds in place of live releases. If a build fails, the live release stays. */
export async function bootWithLocalBuilds(boot: BootData): Promise<BootData> {
  const tester = boot.extension?.data as TesterBoot | undefined;
  if (!tester) return boot;
  const builds = await Promise.all(
    tester.inBrowser.map(({ remote, origin }) =>
      fetchLocalBuild(remote, origin).catch((error: unknown) => {
        reportFailure(remote, messageOf(error));
        return undefined;
      }),
    ),
  );
  return builds.reduce<BootData>((data, build) => (build ? withLocalBuild(data, build) : data), boot);
}

async function loadFollower(boot: BootData) {
  const [{ followBuilds }, { FailureOverlay }] = await Promise.all([
    import(/* webpackChunkName: "live-builds" */ './followBuilds.tsx'),
    import(/* webpackChunkName: "live-builds" */ './failureOverlay.ts'),
  ]);
  const host = getInstance();
  if (!host) return undefined;
  const overlay = new FailureOverlay();
  const follow = followBuilds(boot, host);
  return {
    onFailure: overlay.show,
    follow(page: StartedPage) {
      follow(page);
      overlay.listen(page.bus);
    },
  };
}

/**
 * Starts a tester's page with the builds that only this browser can fetch and, if
 * open, the devtools, which load first to record every event.
 */
export const createTestedStart =
  (personal: PersonalParts): StartExtended =>
  async (boot, start) => {
    const tester = boot.extension?.data as TesterBoot;
    const [data, devtools, follower] = await Promise.all([
      tester.inBrowser.length > 0 ? bootWithLocalBuilds(boot) : boot,
      tester.hasDevtools
        ? import(/* webpackChunkName: "devtools-panel" */ './openDevtools.tsx').catch((error: unknown) => {
            // The page must work without the devtools.
            reportError(error);
            return undefined;
          })
        : undefined,
      tester.followsBuilds ? loadFollower(boot) : undefined,
    ]);
    const page = start(data, follower?.onFailure);
    follower?.follow(page);
    devtools?.openDevtools({ ...page, boot: data, tester, personal });
  };
