/** @jest-environment jest-fixed-jsdom */
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { buildListing, buildState, mountInTestShell } from '@forecourt/search/testing';
import { defineSlot } from '@forecourt/slots';
import results from '../slots/results.tsx';
import spinSlot from '../slots/spin.tsx';
import { prepareViewport } from '../testing/viewport.ts';

const frames = Array.from({ length: 24 }, (_, index) => ({
  degrees: index * 15,
  src: `/turn-${index * 15}.svg`,
}));
const listings = [buildListing({ id: '7', title: '2020 Kia Soul', fyuseId: 'f' })];
const decode = jest.fn<() => Promise<void>>();
const spin = jest.fn<() => Promise<{ fyuseId: string; frames: typeof frames } | null>>();

beforeEach(() => {
  prepareViewport();
  decode.mockReset().mockResolvedValue(undefined);
  spin.mockReset().mockResolvedValue({ fyuseId: 'f', frames });
  // jsdom doesn't decode images.
  HTMLImageElement.prototype.decode = decode;
  HTMLElement.prototype.setPointerCapture = () => {};
});

const ResultsHost = results.view;
const SpinHost = spinSlot.view;

/** Both slots, as the shell composes them: the card emits the intent, the spin slot opens the dialog. */
const page = defineSlot({
  reads: results.reads,
  view: () => (
    <>
      <ResultsHost data={undefined} />
      <SpinHost data={undefined} />
    </>
  ),
});
const open = async () => {
  mountInTestShell(page, { state: buildState({ listings }), calls: { spin } });
  await userEvent.click(screen.getByRole('button', { name: '360° view of 2020 Kia Soul' }));
  return within(await screen.findByRole('dialog', { name: '2020 Kia Soul' }));
};
const slider = () => screen.findByRole('slider', { name: 'Turn the vehicle' });
const shownPicture = () => document.querySelector('img[data-shown]')?.getAttribute('src');

describe('the 360 view of a card', () => {
  it("opens the 360 view at the card's angle and loads the pictures of its listing", async () => {
    const dialog = await open();
    expect(await slider()).toHaveAttribute('aria-valuetext', "45 degrees of 360, front and driver's side");
    expect(spin.mock.calls.map(([params]: unknown[]) => params)).toEqual([{ id: '7' }]);
    expect(dialog.getByRole('img')).toHaveAccessibleName("2020 Kia Soul, front and driver's side");
    expect(shownPicture()).toBe('/turn-45.svg');
    expect(await slider()).toHaveFocus();
  });

  it('turns with the slider, and wraps around at its ends with the arrow keys', async () => {
    await open();
    const control = await slider();
    await waitFor(() => expect(document.querySelectorAll('[role=img] img')).toHaveLength(24));
    fireEvent.change(control, { target: { value: '23' } });
    expect(control).toHaveAttribute('aria-valuetext', '345 degrees of 360, front');
    fireEvent.keyDown(control, { key: 'ArrowRight' });
    expect(shownPicture()).toBe('/turn-0.svg');
    fireEvent.keyDown(control, { key: 'ArrowLeft' });
    expect(shownPicture()).toBe('/turn-345.svg');
  });

  it('turns only while dragging', async () => {
    const dialog = await open();
    await waitFor(() => expect(document.querySelectorAll('[role=img] img')).toHaveLength(24));
    const stage = dialog.getByRole('img');
    // jsdom has no pointer events.
    const pointer = (type: string, clientX: number) =>
      fireEvent(stage, new MouseEvent(type, { bubbles: true, clientX }));
    Object.defineProperty(stage, 'clientWidth', { value: 400 });
    pointer('pointermove', 250);
    expect(shownPicture()).toBe('/turn-45.svg');
    pointer('pointerdown', 0);
    pointer('pointermove', 250);
    expect(shownPicture()).toBe('/turn-225.svg');
    pointer('pointerup', 250);
    pointer('pointermove', 0);
    expect(shownPicture()).toBe('/turn-225.svg');
  });

  it('shows a failure and retries, and skips single pictures that fail', async () => {
    spin.mockResolvedValueOnce(null);
    await open();
    expect(await screen.findByRole('alert')).toHaveTextContent('The 360° view could not be loaded.');
    decode.mockRejectedValueOnce(new Error('broken'));
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await slider();
    await waitFor(() => expect(document.querySelectorAll('[role=img] img')).toHaveLength(23));
    expect(spin).toHaveBeenCalledTimes(2);
  });

  it('shows a failure when no picture loads', async () => {
    decode.mockRejectedValue(new Error('broken'));
    await open();
    expect(await screen.findByRole('alert')).toBeVisible();
  });

  it('returns the focus to the button that opened the 360 view', async () => {
    const dialog = await open();
    await slider();
    await userEvent.click(dialog.getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(screen.getByRole('button', { name: /^360° view/ })).toHaveFocus();
  });
});
