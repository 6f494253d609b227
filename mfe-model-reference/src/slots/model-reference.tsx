import { defineSlot } from '@forecourt/slots';
import { faqPage } from '../panels/FaqsPanel.tsx';
import { loadReference, referenceKey, type ReferenceData } from '../data/loadReference.ts';
import { shownQuestions } from '../section/section.ts';
import { ModelReference } from '../section/ModelReference.tsx';

/** Reference tabs about the search's make and model. */
export default defineSlot<ReferenceData | null>({
  reads: ['session', 'search.criteria', 'search.chips', 'search.editorial'],
  load: loadReference,
  loadKey: referenceKey,
  isComplete: (data) => !data?.isPartial,
  view: ModelReference,
  structuredData({ state, data }) {
    const questions = shownQuestions(state.search, data);
    return questions.length > 0 ? faqPage(questions) : undefined;
  },
});
