/** @jest-environment jest-fixed-jsdom */
import { afterEach, expect, it, jest } from '@jest/globals';
import { createLiveRegion } from './liveRegion.ts';

afterEach(() => {
  jest.useRealTimers();
});

it('announces only the last of several messages, half a second after it', () => {
  jest.useFakeTimers();
  document.body.innerHTML = '<div id="fc-announcer" role="status"></div>';
  const region = document.getElementById('fc-announcer');
  const announce = createLiveRegion();
  announce('12 Matches');
  jest.advanceTimersByTime(400);
  announce('7 Matches');
  jest.advanceTimersByTime(499);
  expect(region).toBeEmptyDOMElement();
  jest.advanceTimersByTime(1);
  expect(region).toHaveTextContent('7 Matches');
});
