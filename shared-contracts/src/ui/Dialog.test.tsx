/** @jest-environment jest-fixed-jsdom */
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { act, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState, type ReactNode } from 'react';
import { SlotEnvironmentProvider, type SlotEnvironment } from '../slots/environment.tsx';
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
  it('is named by its title and holds its content only while it is open', async () => {
    render(<Opener />);
    expect(screen.queryByRole('textbox')).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Open' }));
    expect(screen.getByRole('dialog', { name: 'Ask the seller' })).toBeInTheDocument();
    expect(screen.getByRole('textbox', { name: 'Name' })).toBeInTheDocument();
  });

  it('gives a mouse user the first field, and a touch user no keyboard', async () => {
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

  it('stays open when text is selected with a drag that ends outside, and closes by a click there', async () => {
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

  it('closes by its button and gives the focus back to the opener', async () => {
    const onClosed = jest.fn();
    render(<Opener onClosed={onClosed} />);
    await userEvent.click(screen.getByRole('button', { name: 'Open' }));
    await userEvent.click(screen.getByRole('button', { name: 'Close' }));
    expect(onClosed).toHaveBeenCalledTimes(1);
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(screen.getByRole('button', { name: 'Open' })).toHaveFocus();
  });

  it('asks to be closed by Escape and by a click on the backdrop, once each', async () => {
    const onClosed = jest.fn();
    render(<Opener onClosed={onClosed} />);
    await userEvent.click(screen.getByRole('button', { name: 'Open' }));
    fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true }));
    expect(onClosed).toHaveBeenCalledTimes(1);
    await userEvent.click(screen.getByRole('button', { name: 'Open' }));
    await userEvent.click(screen.getByRole('dialog'));
    expect(onClosed).toHaveBeenCalledTimes(2);
  });

  it('is closed by Back inside a slot, and lets Back go when it is closed', async () => {
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
