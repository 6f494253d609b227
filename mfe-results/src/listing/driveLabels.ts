/** Short words for the drive codes; a code that is not known reads as it is. */
export const DRIVE_LABELS: Readonly<Record<string, string>> = {
  AWD4WD: 'AWD/4WD',
  FWD: 'FWD',
  RWD: 'RWD',
};
