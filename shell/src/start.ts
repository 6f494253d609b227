import { startDocument } from './engine/browser/startDocument.ts';
import { browserSite } from './marketplace/browser/startPage.ts';

startDocument(browserSite, {
  tester: () =>
    import(/* webpackChunkName: "tester" */ './marketplace/browser/startTested.ts').then(
      ({ startTested }) => startTested,
    ),
});
