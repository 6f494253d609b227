import { defineSlot } from '@forecourt/slots';
import { EmailCapture } from '../capture/EmailCapture.tsx';

export default defineSlot({
  reads: ['search.url', 'search.texts', 'search.chips', 'search.pageData', 'session'],
  view: EmailCapture,
});
