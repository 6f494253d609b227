/** @jest-environment jest-fixed-jsdom */
import { describe, expect, it } from '@jest/globals';
import { anonymousSession, emptySearch } from '@forecourt/search/state';
import { defineSlot, type SlotModule, useEmit, useSlotEnvironment, usePageState } from '@forecourt/slots';
import { useEffect, useState } from 'react';
import { playRecording, type Recording, recordingSchema } from './playback.ts';

/** As the devtools save it: another slot asks for a dialog of this one. */
const recording = (changes: Partial<Recording> = {}): Recording =>
  recordingSchema.parse({
    recording: 1,
    page: '/cars-for-sale/all-cars',
    slots: [
      {
        slot: 'panel',
        remote: 'mfe-sample',
        emits: ['dialog.closed', 'lead.requested'],
        hears: ['dialog.requested'],
      },
      { slot: 'results', remote: 'mfe-results', emits: ['dialog.requested'], hears: [] },
    ],
    state: { page: {}, search: { ...emptySearch, totalResultCount: 7 }, session: anonymousSession },
    events: [{ type: 'dialog.requested', sender: 'results', payload: { name: 'trims' } }],
    ...changes,
  });

/** Opens when a dialog is requested; its button emits `type` with `payload`. */
function candidate(
  options: {
    readonly type?: string;
    readonly payload?: object;
    readonly isDeaf?: boolean;
    readonly onOpen?: () => void;
  } = {},
): ReadonlyMap<string, SlotModule> {
  const { type = 'dialog.closed', payload = { name: 'trims' }, isDeaf = false, onOpen } = options;
  function Panel() {
    const emit = useEmit();
    const { listen } = useSlotEnvironment();
    const [isOpen, setOpen] = useState(false);
    const count = usePageState((state) => state.search.totalResultCount);
    useEffect(() => {
      if (isDeaf) return undefined;
      return listen('dialog.requested', () => {
        onOpen?.();
        setOpen(true);
      });
    }, [listen]);
    if (!isOpen) return <p>{count.toFixed(0)} vehicles</p>;
    return <button onClick={() => emit(type as 'dialog.closed', payload as never)}>Close</button>;
  }
  return new Map([['panel', defineSlot({ reads: ['search.totalResultCount'], view: Panel })]]);
}

const play = (modules: ReadonlyMap<string, SlotModule>, played = recording()) =>
  playRecording({ name: 'mfe-sample', modules }, played);

describe('a recorded page', () => {
  it('accepts a candidate that hears what the page emits, and emits what the page hears', async () => {
    expect(await play(candidate())).toEqual({
      misfits: [],
      slots: ['panel'],
      played: 1,
      heard: ['dialog.requested'],
      emitted: ['dialog.closed'],
    });
  });

  it.each([
    [
      'no longer hears an event of the page',
      { isDeaf: true },
      'RECORDING_HEARS',
      /no slot of the candidate listens/,
    ],
    [
      'emits an event that the page does not hear from it',
      { type: 'search.saveRequested' },
      'RECORDING_EMITS',
      /search\.saveRequested/,
    ],
    [
      'emits what the contract does not allow',
      { type: 'lead.requested', payload: { kind: 1 } },
      'RECORDING_EMITS',
      /panel emits it with/,
    ],
    [
      'fails at an event of the page',
      {
        onOpen: () => {
          throw new Error('no such dialog');
        },
      },
      'RECORDING_RENDER',
      /no such dialog/,
    ],
  ])('refuses a candidate that %s', async (_, options, rule, found) => {
    const { misfits } = await play(candidate(options));
    expect(misfits).toMatchObject([{ rule, found: expect.stringMatching(found) }]);
  });

  it('refuses a candidate that cannot show the state of the page', async () => {
    const search = { ...emptySearch, totalResultCount: undefined };
    const broken = recording({ state: { page: {}, search, session: { ...anonymousSession } } });
    const { misfits } = await play(candidate(), broken);
    expect(misfits[0]).toMatchObject({
      rule: 'RECORDING_RENDER',
      found: expect.stringContaining('it throws'),
    });
  });
});
