/** Words for the transmission codes. */
export const TRANSMISSION_LABELS: Readonly<Record<string, string>> = { AUT: 'Automatic', MAN: 'Manual' };
