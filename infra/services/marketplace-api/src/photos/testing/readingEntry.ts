import { readFileSync } from 'node:fs';
import type { EncoderReply, EncoderRequest } from '../photoEncoder.ts';

/** In place of the encoder: reads the file that the request names, and replies HTTP_200 if it could. */
process.on('message', ({ id, bytes }: EncoderRequest) => {
  const reply = (problem: EncoderReply['problem']) =>
    process.send?.({ id, problem, rssBytes: 0 } satisfies EncoderReply);
  try {
    readFileSync(Buffer.from(bytes).toString());
    reply('HTTP_200');
  } catch (error) {
    reply((error as NodeJS.ErrnoException).code === 'ERR_ACCESS_DENIED' ? 'REFUSED' : 'BROKEN');
  }
});
process.on('disconnect', () => process.exit());
