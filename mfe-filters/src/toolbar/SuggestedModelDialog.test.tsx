/** @jest-environment jest-fixed-jsdom */
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import fc from 'fast-check';
import { searchLoaded, searchStarted } from '@forecourt/search/state';
import toolbar from '../slots/toolbar.tsx';
import { mountSearchSlot } from '../testing/mountSearchSlot.ts';
import { suppressedModels, suppressionCookie } from './SuggestedModelDialog.tsx';

const model = {
  selectedMakeDescription: 'Ford',
  selectedModelDescription: 'F-150',
  suggestedMakeCode: 'FORD',
  suggestedModelCode: 'F150LIGHTNING',
  suggestedMakeDescription: 'Ford',
  suggestedModelDescription: 'F-150 Lightning',
};
/** Mounts the toolbar and waits for the dialog's code. */
async function mount(status: 'ready' | 'loading' = 'ready', models = [model]) {
  const shell = mountSearchSlot(toolbar, {
    criteria: { filters: { makeCode: ['FORD'], modelCode: ['F150'] }, firstRecord: 30 },
    search: { status, suggestions: { filters: [], strongAttributes: [], nearMisses: [], models } },
  });
  await act(async () => void (await import('./SuggestedModelDialog.tsx')));
  return shell;
}
const dialog = () => screen.queryByRole('dialog', { name: 'Did you mean Ford F-150 Lightning?' });
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

describe('suggested model dialog', () => {
  afterEach(() => {
    document.cookie = 'suppressedModels=; Path=/cars-for-sale; Max-Age=0';
    window.history.replaceState(null, '', '/');
  });

  // rows: B2-MODAL-08
  it('opens the suggested model dialog once the results are loaded', async () => {
    const { unmount } = await mount('loading');
    expect(dialog()).not.toBeInTheDocument();
    unmount();
    await mount();
    expect(dialog()).toBeInTheDocument();
  });

  it('reads cookies only when there is a suggested model', async () => {
    const cookies = jest.spyOn(Document.prototype, 'cookie', 'get');
    (await mount('ready', [])).unmount();
    expect(cookies).not.toHaveBeenCalled();
    await mount();
    expect(cookies).toHaveBeenCalled();
    cookies.mockRestore();
  });

  // rows: B4-SUGGEST-01
  it('adds the suggested make and model on Yes', async () => {
    const { searches, events } = await mount('ready', [{ ...model, suggestedMakeCode: 'FORDPRO' }]);
    await press('Yes');
    expect(searches()).toHaveLength(1);
    expect(events).toContainEqual(
      expect.objectContaining({ payload: expect.objectContaining({ cause: 'suggestedModel' }) }),
    );
    expect(searches()[0]).toMatchObject({
      filters: { makeCode: ['FORD', 'FORDPRO'], modelCode: ['F150', 'F150LIGHTNING'] },
      firstRecord: 0,
    });
    expect(dialog()).not.toBeInTheDocument();
  });

  // rows: B4-SUGGEST-02
  it.each(['No', 'Close'])('closes the suggested model dialog on %s without a search', async (name) => {
    const { searches, store } = await mount();
    await press(name);
    expect(dialog()).not.toBeInTheDocument();
    expect(searches()).toHaveLength(0);
    // The next response with the same suggestion doesn't open it again.
    const { status: _, requestId: __, ...page } = store.getState().search;
    act(() => {
      store.dispatch(searchStarted({ requestId: 'r2', criteria: page.criteria, url: page.url }));
      store.dispatch(searchLoaded({ requestId: 'r2', page }));
    });
    expect(dialog()).not.toBeInTheDocument();
  });

  // rows: B4-SUGGEST-03
  it("stores Don't show again in a cookie and stays closed", async () => {
    window.history.replaceState(null, '', '/cars-for-sale/all-cars');
    const { unmount } = await mount('ready', [model, { ...model, suggestedModelCode: 'MAVERICK' }]);
    await userEvent.click(screen.getByRole('checkbox', { name: "Don't show again" }));
    await press('No');
    expect(suppressedModels(document.cookie)).toEqual(['F150LIGHTNING', 'MAVERICK']);
    unmount();
    await mount();
    expect(dialog()).not.toBeInTheDocument();
  });

  // rows: B4-SUGGEST-03
  it("stores no cookie without Don't show again", async () => {
    window.history.replaceState(null, '', '/cars-for-sale/all-cars');
    await mount();
    await press('No');
    expect(document.cookie).not.toContain('suppressedModels');
  });

  // rows: B2-MODAL-08, B4-SUGGEST-03
  it('stays closed while one of several suggested models is suppressed', async () => {
    window.history.replaceState(null, '', '/cars-for-sale/all-cars');
    document.cookie = suppressionCookie('', ['MAVERICK']);
    await mount('ready', [model, { ...model, suggestedModelCode: 'MAVERICK' }]);
    expect(dialog()).not.toBeInTheDocument();
  });

  // rows: B4-SUGGEST-03
  it('adds codes to the suppressed ones for thirty days, on the results path', () => {
    const code = fc.stringMatching(/^[A-Z0-9 |;=%-]{1,12}$/);
    fc.assert(
      fc.property(fc.uniqueArray(code), fc.uniqueArray(code), (before, after) => {
        const first = suppressionCookie('other=1', before);
        const second = suppressionCookie(`other=1; ${first.split('; ')[0]}`, after);
        expect(suppressedModels(`x=y; ${second.split('; ')[0]}`)).toEqual([
          ...new Set([...before, ...after]),
        ]);
        expect(second).toMatch(/; Path=\/cars-for-sale; Max-Age=2592000; SameSite=Lax$/);
      }),
    );
    expect(suppressedModels('suppressedModels=%E0%A4%A')).toEqual([]);
  });
});
