/** @jest-environment jest-fixed-jsdom */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, fireEvent, screen } from '@testing-library/react';
import { useState, type ReactNode } from 'react';
import { TOAST_MS, Toast, type ToastContent } from './Toast.tsx';
import { defineSlot } from '../defineSlot.ts';
import { mountInTestShell } from '../testing/librarySite.ts';

const undo = jest.fn();

function Example(): ReactNode {
  const [toast, setToast] = useState<ToastContent | null>(null);
  const show = () => setToast({ key: '1', message: 'Ford removed', action: { label: 'Undo', onUse: undo } });
  return (
    <>
      <button onClick={show}>Remove</button>
      <Toast toast={toast} onGone={() => setToast(null)} />
    </>
  );
}
const mount = () => mountInTestShell(defineSlot({ reads: [], view: () => <Example /> }));
const show = () => fireEvent.click(screen.getByRole('button', { name: 'Remove' }));
const isShown = () => screen.queryByText('Ford removed') !== null;
const pass = (ms: number) => act(() => jest.advanceTimersByTime(ms));

beforeEach(() => {
  jest.useFakeTimers();
  undo.mockClear();
});
afterEach(() => {
  jest.useRealTimers();
});

describe('Toast', () => {
  it('announces messages through a live region that exists in advance', () => {
    mount();
    const region = screen.getByRole('status');
    expect(region).toBeEmptyDOMElement();
    show();
    expect(region).toHaveTextContent('Ford removed');
  });

  it('hides a toast after its timeout, but not while hovered or focused', () => {
    mount();
    show();
    const button = screen.getByRole('button', { name: 'Undo' });
    act(() => button.focus());
    pass(TOAST_MS * 3);
    expect(isShown()).toBe(true);
    act(() => button.blur());
    fireEvent.pointerEnter(button.parentElement as HTMLElement);
    pass(TOAST_MS * 3);
    expect(isShown()).toBe(true);
    fireEvent.pointerLeave(button.parentElement as HTMLElement);
    pass(TOAST_MS - 1);
    expect(isShown()).toBe(true);
    pass(1);
    expect(isShown()).toBe(false);
  });

  it("runs a toast's action once and hides the toast", () => {
    mount();
    show();
    fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
    expect(undo).toHaveBeenCalledTimes(1);
    expect(isShown()).toBe(false);
  });

  it('hides a toast on Escape and with its button', () => {
    mount();
    show();
    fireEvent.keyDown(screen.getByRole('button', { name: 'Undo' }), { key: 'Escape' });
    expect(isShown()).toBe(false);
    show();
    fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(isShown()).toBe(false);
    expect(undo).not.toHaveBeenCalled();
  });

  it("hides a toast when another slot shows one, but not for the slot's own", () => {
    const { bus } = mount();
    show();
    expect(isShown()).toBe(true);
    act(() => bus.emit('toast.shown', { id: 'another' }, 'leads'));
    expect(isShown()).toBe(false);
  });
});
