import { recognizeUrlShape } from '@forecourt/shared-contracts/url';
import type { RootState } from '@forecourt/shared-contracts/store';
import { questionsOf, type Question } from './faqs/questions.ts';
import type { ReferenceData } from './load.ts';
import { referenceTabs, type ReferenceTab } from './tabs.ts';
import { modelName, referencedModel } from './vehicle.ts';

type SearchPart = Pick<RootState['search'], 'criteria' | 'chips' | 'editorial'>;

/** What the section shows for a search and the data of its model. */
export interface Section {
  /** 'Ford F-150' */
  readonly name: string;
  readonly tabs: readonly ReferenceTab[];
  readonly questions: readonly Question[];
}

/** Undefined when the data are not (yet) those of the search's model. */
export function sectionOf(search: SearchPart, data: ReferenceData | null | undefined): Section | undefined {
  const { criteria, chips, editorial } = search;
  const model = referencedModel(criteria);
  if (!model || data?.makeCode !== model.makeCode || data.modelCode !== model.modelCode) return undefined;
  const name = modelName(model, chips);
  const questions = questionsOf(name, data);
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

/** The questions that the page shows: none without their tab. */
export function shownQuestions(
  search: SearchPart,
  data: ReferenceData | null | undefined,
): readonly Question[] {
  const section = sectionOf(search, data);
  return section?.tabs.some(({ key }) => key === 'faqs') ? section.questions : [];
}
