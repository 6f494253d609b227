/** @jest-environment jest-fixed-jsdom */
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { act, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState, type ReactNode } from 'react';
import { SlotEnvironmentProvider, type SlotEnvironment } from '../environment.tsx';
import { Dialog } from './Dialog.tsx';

const matchMedia = window.matchMedia;
afterEach(() => {
  window.matchMedia = matchMedia;
});

function pointerIs(kind: 'fine' | 'coarse') {
  window.matchMedia = (query) => ({ ...matchMedia(query), matches: query === `(pointer: ${kind})` });
}

function Opener({ onClosed = () => {} }: { onClosed?: () => void }): ReactNode {
  const [open, setOpen] = useState(false);
  const close = () => {
    setOpen(false);
    onClosed();
  };
  return (
    <>
      <button onClick={() => setOpen(true)}>Open</button>
      <Dialog open={open} title="Ask the seller" onClose={close}>
        <label>
          Name <input data-initial-focus />
        </label>
      </Dialog>
    </>
  );
}

describe('Dialog', () => {
  it('names the dialog by its title and renders its content only while it is open', async () => {
    render(<Opener />);
    expect(screen.queryByRole('textbox')).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Open' }));
    expect(screen.getByRole('dialog', { name: 'Ask the seller' })).toBeInTheDocument();
    expect(screen.getByRole('textbox', { name: 'Name' })).toBeInTheDocument();
  });

  it('focuses the first field with a mouse, but opens no keyboard with touch', async () => {
    pointerIs('fine');
    const { unmount } = render(<Opener />);
    await userEvent.click(screen.getByRole('button', { name: 'Open' }));
    expect(screen.getByRole('textbox')).toHaveFocus();
    unmount();

    pointerIs('coarse');
    render(<Opener />);
    await userEvent.click(screen.getByRole('button', { name: 'Open' }));
    expect(screen.getByRole('textbox')).not.toHaveFocus();
  });

  it('keeps a dialog open when a text selection ends outside, and closes it on a click there', async () => {
    const onClosed = jest.fn();
    render(<Opener onClosed={onClosed} />);
    await userEvent.click(screen.getByRole('button', { name: 'Open' }));
    const dialog = screen.getByRole('dialog');
    fireEvent.pointerDown(screen.getByRole('textbox'));
    fireEvent.click(dialog);
    expect(onClosed).not.toHaveBeenCalled();
    fireEvent.pointerDown(dialog);
    fireEvent.click(dialog);
    expect(onClosed).toHaveBeenCalledTimes(1);
  });

  it('closes a dialog with its button and returns the focus to the opener', async () => {
    const onClosed = jest.fn();
    render(<Opener onClosed={onClosed} />);
    await userEvent.click(screen.getByRole('button', { name: 'Open' }));
    await userEvent.click(screen.getByRole('button', { name: 'Close' }));
    expect(onClosed).toHaveBeenCalledTimes(1);
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(screen.getByRole('button', { name: 'Open' })).toHaveFocus();
  });

  it('requests to close a dialog once on Escape and once on a backdrop click', async () => {
    const onClosed = jest.fn();
    render(<Opener onClosed={onClosed} />);
    await userEvent.click(screen.getByRole('button', { name: 'Open' }));
    fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true }));
    expect(onClosed).toHaveBeenCalledTimes(1);
    await userEvent.click(screen.getByRole('button', { name: 'Open' }));
    await userEvent.click(screen.getByRole('dialog'));
    expect(onClosed).toHaveBeenCalledTimes(2);
  });

  it('closes a dialog on Back inside a slot, and releases Back when it is closed', async () => {
    let back: (() => void) | undefined;
    const release = jest.fn();
    const environment = {
      interceptBack: (close: () => void) => {
        back = close;
        return release;
      },
    } as unknown as SlotEnvironment;
    const onClosed = jest.fn();
    render(
      <SlotEnvironmentProvider value={environment}>
        <Opener onClosed={onClosed} />
      </SlotEnvironmentProvider>,
    );
    expect(back).toBeUndefined();
    await userEvent.click(screen.getByRole('button', { name: 'Open' }));
    act(() => back?.());
    expect(onClosed).toHaveBeenCalledTimes(1);
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(release).toHaveBeenCalledTimes(1);
  });
});
