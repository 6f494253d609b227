import { recognizeUrlShape } from '@forecourt/search/decode';
import { singleYear } from '@forecourt/search/criteria';
import type { RootState } from '@forecourt/search/state';
import { questionsOf, type Question } from '../panels/FaqsPanel.tsx';
import { type ReferenceData, modelName, referencedModel } from '../data/loadReference.ts';

/** Minimum used results for a make and model to have FAQs. */
export const FAQ_MIN_USED_RESULTS = 25;

/** The section's own tabs in order. */
export const REFERENCE_TABS = [
  { key: 'pricing', label: 'Pricing' },
  { key: 'compare-trims', label: 'Compare Trims' },
  { key: 'safety', label: 'Safety' },
  { key: 'consumer-reviews', label: 'Consumer Reviews' },
  { key: 'faqs', label: 'FAQs' },
] as const;
type ReferenceTabKey = (typeof REFERENCE_TABS)[number]['key'];

export interface ReferenceTab {
  readonly key: string;
  readonly label: string;
}

export interface TabContext {
  /** Model years and trims that have prices or listings. */
  readonly yearCount: number;
  readonly trimCount: number;
  /** Trims in the comparison. */
  readonly comparedTrimCount: number;
  /** Entries of the 'Safety Ratings' group. */
  readonly safetyRatingCount: number;
  /** Entries of the consumer ratings. */
  readonly consumerRatingCount: number;
  readonly hasQuestions: boolean;
  /** The search is for one year, make and model. */
  readonly isYearMakeModel: boolean;
  readonly hasTrim: boolean;
  /** Used listings of the search. */
  readonly usedCount: number;
  /** Editorial tabs, shown after the others. */
  readonly editorialTabs?: readonly ReferenceTab[] | undefined;
  /** In editorial-only mode, the only tabs to show; otherwise empty or missing. */
  readonly onlyTabs?: readonly string[] | undefined;
}

/** When a tab has content. */
const EXISTS: Readonly<Record<ReferenceTabKey, (context: TabContext) => boolean>> = {
  pricing: ({ yearCount, trimCount }) => yearCount > 0 || trimCount > 0,
  'compare-trims': ({ comparedTrimCount }) => comparedTrimCount > 0,
  safety: ({ safetyRatingCount, hasTrim }) => safetyRatingCount > 0 && !hasTrim,
  'consumer-reviews': ({ consumerRatingCount }) => consumerRatingCount > 0,
  faqs: ({ hasQuestions, isYearMakeModel, usedCount }) =>
    hasQuestions && (isYearMakeModel || usedCount >= FAQ_MIN_USED_RESULTS),
};

/** The section's tabs: those with content, restricted to `onlyTabs` in editorial-only mode. */
export function referenceTabs(context: TabContext): readonly ReferenceTab[] {
  const { onlyTabs = [], editorialTabs = [] } = context;
  const own = REFERENCE_TABS.filter(({ key }) => EXISTS[key](context));
  // An editorial tab can't replace one of the section's own.
  const editorial = editorialTabs.filter(({ key }) => REFERENCE_TABS.every((tab) => tab.key !== key));
  return [...own, ...editorial].filter(({ key }) => onlyTabs.length === 0 || onlyTabs.includes(key));
}

type SearchPart = Pick<RootState['search'], 'criteria' | 'chips' | 'editorial'>;

/** What the section shows for a search and its data. */
export interface Section {
  /** 'Ford F-150' */
  readonly name: string;
  readonly tabs: readonly ReferenceTab[];
  readonly questions: readonly Question[];
}

/** Undefined while the data belong to another model than the search. */
export function sectionOf(search: SearchPart, data: ReferenceData | null | undefined): Section | undefined {
  const { criteria, chips, editorial } = search;
  const model = referencedModel(criteria);
  if (!model || data?.makeCode !== model.makeCode || data.modelCode !== model.modelCode) return undefined;
  const name = modelName(model, chips);
  const questions = questionsOf(name, data, singleYear(criteria.filters));
  const content = editorial?.editorialContent;
  const tabs = referenceTabs({
    yearCount: data.modelYearsData.length,
    trimCount: data.trimsData.length,
    comparedTrimCount: data.trims.length,
    safetyRatingCount: data.safetyInfo?.features['Safety Ratings'].length ?? 0,
    consumerRatingCount: data.ratings?.ratings.length ?? 0,
    hasQuestions: questions.length > 0,
    isYearMakeModel: recognizeUrlShape(criteria.filters) === 'year+make+model',
    hasTrim: (criteria.filters.trimCode?.length ?? 0) > 0,
    usedCount: data.usedCount ?? 0,
    editorialTabs: content?.tabs,
    onlyTabs: content?.onlyTabs,
  });
  return { name, tabs, questions };
}

/** The questions that the FAQs tab shows; empty without the tab. */
export function shownQuestions(
  search: SearchPart,
  data: ReferenceData | null | undefined,
): readonly Question[] {
  const section = sectionOf(search, data);
  return section?.tabs.some(({ key }) => key === 'faqs') ? section.questions : [];
}
