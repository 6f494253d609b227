import { type EncodedPhoto, encodePhoto } from './encodePhoto.ts';
import type { PictureReply, PictureRequest } from './photoEncoder.ts';

/** Entry of the process that decodes pictures of strangers: a picture that crashes or fills it takes nothing else along. */
process.on('message', ({ id, input }: PictureRequest<Uint8Array>) => {
  const reply = (result: Omit<PictureReply<EncodedPhoto>, 'id' | 'rssBytes'>) =>
    process.send?.({
      id,
      ...result,
      rssBytes: process.memoryUsage.rss(),
    } satisfies PictureReply<EncodedPhoto>);
  encodePhoto(input).then(
    (output) => reply({ output }),
    (error: Error) => reply({ problem: /pixel limit/.test(error.message) ? 'TOO_LARGE' : 'BROKEN' }),
  );
});
process.on('disconnect', () => process.exit());
