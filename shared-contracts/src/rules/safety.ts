/** Words for the value of a safety feature: 'std' means standard, anything else says it itself (B3-SAFETY-02). */
export const safetyValueText = (value: string): string =>
  value.trim().toLowerCase() === 'std' ? 'Standard' : value;
