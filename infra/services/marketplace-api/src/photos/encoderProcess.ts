import { encodePhoto } from './encodePhoto.ts';
import { answerPictureRequests } from './photoEncoder.ts';

// Entry of the process that decodes pictures of strangers: a picture that crashes or fills it takes nothing else along.
answerPictureRequests(encodePhoto, ({ message }) => (/pixel limit/.test(message) ? 'TOO_LARGE' : 'BROKEN'));
