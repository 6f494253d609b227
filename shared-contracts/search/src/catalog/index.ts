export { chipsOf, filterCount, recoveries, type Chip } from './chips.ts';
export {
  FILTERS,
  filterSection,
  sectionOfParam,
  type FilterName,
  type FilterSection,
} from '../criteria/filterSections.ts';
export {
  conditionSummary,
  createLabels,
  placeText,
  priceText,
  withThousands,
  yearText,
  type LabelOf,
} from './labels.ts';
