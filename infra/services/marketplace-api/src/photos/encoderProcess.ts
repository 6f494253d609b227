import { encodePhoto } from './encodePhoto.ts';
import type { EncoderReply, EncoderRequest } from './photoEncoder.ts';

/** Entry of the process that decodes pictures of strangers: a picture that crashes or fills it takes nothing else along. */
process.on('message', ({ id, bytes }: EncoderRequest) => {
  const reply = (result: Omit<EncoderReply, 'id' | 'rssBytes'>) =>
    process.send?.({ id, ...result, rssBytes: process.memoryUsage.rss() } satisfies EncoderReply);
  encodePhoto(bytes).then(
    (encoded) => reply({ encoded }),
    (error: Error) => reply({ problem: /pixel limit/.test(error.message) ? 'TOO_LARGE' : 'BROKEN' }),
  );
});
process.on('disconnect', () => process.exit());
