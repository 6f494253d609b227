/** @jest-environment jest-fixed-jsdom */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act } from '@testing-library/react';
import { createElement, useState } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { recordEarlyInput } from './earlyInput.ts';
import { createEarlyInputQueue } from './earlyInputQueue.ts';
import { REPLAY_WITHIN_MS } from './mountTiming.ts';

const HTML = `
  <div id="slot-shelf">
    <button type="button"><svg></svg></button>
    <form><button id="send">Send</button></form>
    <select><option>relevance</option><option>yearDESC</option></select>
    <input type="checkbox">
  </div>
  <div id="slot-search"><button type="button">Clear</button></div>`;

const heard = jest.fn<(what: string) => void>();
const find = <T extends Element>(selector: string) => document.querySelector(selector) as T;
const shelf = () => find('#slot-shelf');
/** The page's handlers, which come late. */
function listen(): void {
  for (const button of document.querySelectorAll('button'))
    button.addEventListener('click', () => heard(button.id || button.textContent || 'icon'));
  find<HTMLSelectElement>('select').addEventListener('change', ({ target }) =>
    heard((target as HTMLSelectElement).value),
  );
  find('input').addEventListener('click', ({ target }) =>
    heard(String((target as HTMLInputElement).checked)),
  );
}
const queue = createEarlyInputQueue;
const settle = () => jest.advanceTimersByTimeAsync(1_000);
/** By a hand: the page trusts no script's events, and jsdom's are all of scripts. */
function done(type: 'click' | 'change' | 'input', target: Element, at = performance.now()): void {
  const { value, checked } = target as HTMLInputElement;
  window.fcEarly?.push({ event: { type, target, timeStamp: at }, value, checked });
}

describe('early input', () => {
  beforeEach(() => {
    heard.mockReset();
    jest.useFakeTimers();
    document.body.innerHTML = HTML;
    recordEarlyInput(() => false);
  });
  afterEach(() => {
    createEarlyInputQueue().stop();
    jest.useRealTimers();
    delete window.fcEarly;
  });

  it('is replayed once and in order when its slot is mounted', async () => {
    const select = find<HTMLSelectElement>('select');
    const box = find<HTMLInputElement>('input');
    done('click', find('svg'));
    select.value = 'yearDESC';
    done('change', select);
    box.checked = true;
    done('change', box);
    const carryOut = queue().take(shelf());
    // Hydration sets it back.
    select.value = 'relevance';
    listen();
    carryOut();
    carryOut();
    await settle();
    expect(heard.mock.calls.flat()).toEqual(['icon', 'yearDESC', 'true']);
    expect(select.value).toBe('yearDESC');
    expect(box.checked).toBe(true);
  });

  it('is not replayed when the browser handled it, its element is gone or it is too old', async () => {
    const [button, gone] = [find('svg'), find('select')];
    done('click', find('#send'));
    done('change', gone);
    done('click', button, performance.now() - REPLAY_WITHIN_MS - 1);
    gone.remove();
    document.body.append(gone);
    const carryOut = queue().take(shelf());
    listen();
    carryOut();
    await settle();
    expect(heard).not.toHaveBeenCalled();
  });

  it('waits for its own slot', async () => {
    done('click', find('#slot-search button'));
    const carryOut = queue().take(shelf());
    listen();
    carryOut();
    await settle();
    expect(heard).not.toHaveBeenCalled();
    queue().take(find('#slot-search'))();
    await settle();
    expect(heard.mock.calls).toEqual([['Clear']]);
  });

  it.each([
    ['', 'austen', 'austen'],
    ['austen novels', 'austen', 'austen novels'],
  ])(
    'gives a field that holds "%s" after "%s" was typed early the text "%s"',
    async (now, early, expected) => {
      const states: string[] = [];
      const Field = () => {
        const [text, setText] = useState('');
        states.push(text);
        return createElement('input', { value: text, onChange: ({ target }) => setText(target.value) });
      };
      shelf().innerHTML = '<input value="">';
      const field = find<HTMLInputElement>('input');
      field.value = early;
      done('input', field);
      const carryOut = queue().take(shelf());
      const root = await act(() => hydrateRoot(shelf(), createElement(Field)));
      field.value = now;
      await act(async () => {
        carryOut();
        await settle();
      });
      expect(field.value).toBe(expected);
      expect(states.at(-1)).toBe(expected);
      act(() => root.unmount());
    },
  );

  it('ignores scripted events and works on a page without the recorder', () => {
    find<HTMLButtonElement>('#slot-search button').click();
    expect(window.fcEarly).toEqual([]);
    delete window.fcEarly;
    expect(() => queue().take(shelf())()).not.toThrow();
  });
});
