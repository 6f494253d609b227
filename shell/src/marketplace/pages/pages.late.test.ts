import { request as httpRequest } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { buildListing } from '@forecourt/search/testing';
import type { CallName } from '@forecourt/upstream/calls';
import { searchResponseSchema } from '@forecourt/upstream/entities';
import { LAYOUT } from '../layouts.ts';
import { liveReleases } from '../../engine/rendering/testing/tinyRelease.ts';
import { startShell, type ShellRig } from '../../testing/shellRig.ts';
import type { CallStub } from '../../engine/testing/appRig.ts';

const rigs: ShellRig[] = [];
afterEach(() => Promise.all(rigs.splice(0).map((rig) => rig.stop())));

const PAGE = '/cars-for-sale/all-cars?zip=60601';
const results = () =>
  searchResponseSchema.parse({ listings: [buildListing()], owners: [], totalResultCount: 1 });

async function start(answers: Partial<Record<CallName, CallStub>>): Promise<ShellRig> {
  const rig = await startShell({ live: liveReleases(LAYOUT), answers: { search: results, ...answers } });
  rigs.push(rig);
  return rig;
}

/** Requests the page; `head` resolves with its first bytes, `whole` with all of it. */
function stream({ port }: ShellRig, headers: Record<string, string> = {}) {
  const head = Promise.withResolvers<string>();
  const whole = Promise.withResolvers<string>();
  httpRequest({ port, host: '127.0.0.1', path: PAGE, headers, agent: false }, (response) => {
    let html = '';
    response.setEncoding('utf8');
    response.on('data', (text: string) => {
      html += text;
      head.resolve(html);
    });
    response.on('end', () => whole.resolve(html));
  }).end();
  return { head: head.promise, whole: whole.promise };
}

/** A call that answers when the test says so. */
function pendingCall() {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  return { stub: () => promise, resolve };
}
const searches = ({ calls }: ShellRig) => calls.filter(({ name }) => name === 'search').length;
const LISTINGS = { listings: [buildListing({ id: 'late-one' })], owners: [] };
const NONE = { listings: [], owners: [] };
const PLACE = { success: true, city: 'Chicago', state: 'IL' };

describe('page with a late optional call', () => {
  it.each([
    ['premiumSpotlights', NONE],
    ['spotlights', NONE],
    ['vehicleHighlight', NONE],
    ['zipLookup', PLACE],
  ] as const)('sends its head at once and leaves out %s', async (name, answer) => {
    const call = pendingCall();
    const rig = await start({ [name]: call.stub });
    const { head, whole } = stream(rig);
    expect(await head).toContain('<title>');
    // The call is still pending.
    expect(await whole).toMatch(/<\/html>$/);
    call.resolve(answer);
  });

  it('has the late part if it arrives before the slots have waited long enough', async () => {
    const call = pendingCall();
    const rig = await start({ vehicleHighlight: call.stub, zipLookup: () => PLACE });
    const { head, whole } = stream(rig);
    expect(await head).not.toContain('late-one');
    call.resolve(LISTINGS);
    expect(JSON.stringify(await rig.content(await whole))).toContain('late-one');
    // Nothing was left out: the page is cached.
    await stream(rig).whole;
    expect(searches(rig)).toBe(1);
  });

  it.each(['vehicleHighlight', 'zipLookup'] as const)('is not cached without %s', async (name) => {
    const call = pendingCall();
    const rig = await start({ zipLookup: () => PLACE, [name]: call.stub });
    await stream(rig).whole;
    await stream(rig).whole;
    expect(searches(rig)).toBe(2);
  });

  it('does not wait for the account of a signed-in visitor', async () => {
    const call = pendingCall();
    const rig = await start({ savedListings: call.stub, zipLookup: () => PLACE });
    const { head, whole } = stream(rig, { Cookie: 'signedIn=true' });
    expect(await head).toContain('<title>');
    expect(await whole).toMatch(/<\/html>$/);
  });

  it.each(['search', 'search/more'])('leaves it out of the API response of %s, too', async (path) => {
    const call = pendingCall();
    const rig = await start({ spotlights: call.stub });
    const response = await rig.send(`/cars-for-sale/api/${path}?url=${encodeURIComponent(PAGE)}`);
    expect(response.status).toBe(200);
  });
});
