import { expect, it } from '@jest/globals';
import emailCapture from './email-capture.tsx';
import { renderOnServer, submitButtons } from '../testing/renderOnServer.ts';

it('renders on the server with its submit button disabled until hydration, so that no input ends up in the URL', async () => {
  const { html } = await renderOnServer(emailCapture, 'email-capture');
  expect(html).toEqual(expect.any(String));
  expect(submitButtons(html)).toEqual([expect.stringContaining(' disabled=""')]);
});
