export { chipsOf, filterCount, type Chip } from './chips.ts';
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
export { recoveries } from './recoveries.ts';
