import { evaluateInSteps } from './engine/browser/evaluateInSteps.ts';
import './marketplace/frame/page.css';
import './marketplace/frame/page.later.css';

void evaluateInSteps(
  {
    '@forecourt/search/criteria': () => import(/* webpackMode: "eager" */ '@forecourt/search/criteria'),
    '@forecourt/search/url': () => import(/* webpackMode: "eager" */ '@forecourt/search/url'),
    '@forecourt/search/catalog': () => import(/* webpackMode: "eager" */ '@forecourt/search/catalog'),
    '@forecourt/search/query': () => import(/* webpackMode: "eager" */ '@forecourt/search/query'),
    '@forecourt/search/state': () => import(/* webpackMode: "eager" */ '@forecourt/search/state'),
  },
  () => import(/* webpackMode: "eager" */ './start.ts'),
);
