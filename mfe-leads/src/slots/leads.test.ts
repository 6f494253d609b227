import { expect, it } from '@jest/globals';
import { renderOnServer } from '../testing/renderOnServer.ts';
import leads from './leads.tsx';

it('renders on the server', async () => {
  await expect(renderOnServer(leads, 'leads')).resolves.toMatchObject({ html: expect.any(String) });
});
