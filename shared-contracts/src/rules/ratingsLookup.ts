import type { FilterValues } from '../criteria/criteria.ts';
import { singleValue } from '../criteria/filterValues.ts';
