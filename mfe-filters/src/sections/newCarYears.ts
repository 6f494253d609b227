import { NEW_CAR_YEARS_BACK, NEW_CAR_YEAR_OPTIONS } from '../constants.ts';

/**
 * Model years offered for new cars, newest first: the current year 2024 gives
 * 2025, 2024, 2023, 2022 (A5-RULE-08, A5-RULE-09, AMB-079). 'Any' stands before
 * them in the control. The clock is the caller's.
 */
export function newCarYears(currentYear: number): readonly number[] {
  const oldest = currentYear - NEW_CAR_YEARS_BACK;
  return Array.from(
    { length: NEW_CAR_YEAR_OPTIONS },
    (_, index) => oldest + NEW_CAR_YEAR_OPTIONS - 1 - index,
  );
}
