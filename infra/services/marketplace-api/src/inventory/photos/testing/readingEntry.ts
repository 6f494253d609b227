import { readFileSync } from 'node:fs';
import type { PictureReply, PictureRequest } from '../photoEncoder.ts';

/** In place of the encoder: reads the file that the request names, and replies HTTP_200 if it could. */
process.on('message', ({ id, input }: PictureRequest<Uint8Array>) => {
  const reply = (problem: PictureReply<never>['problem']) =>
    process.send?.({ id, problem, rssBytes: 0 } satisfies PictureReply<never>);
  try {
    readFileSync(Buffer.from(input).toString());
    reply('HTTP_200');
  } catch (error) {
    reply((error as NodeJS.ErrnoException).code === 'ERR_ACCESS_DENIED' ? 'REFUSED' : 'BROKEN');
  }
});
process.on('disconnect', () => process.exit());
