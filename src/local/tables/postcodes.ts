/**
 * Shape of a postal code once spaces and hyphens are gone and letters are upper case, for large markets. United
 * States codes may lack their leading zero: spreadsheets eat it, and that is not fraud.
 */
export const POSTCODE_SHAPES: Readonly<Record<string, RegExp>> = {
  AT: /^\d{4}$/,
  AU: /^\d{4}$/,
  BE: /^\d{4}$/,
  BR: /^\d{8}$/,
  CA: /^[ABCEGHJKLMNPRSTVXY]\d[A-Z]\d[A-Z]\d$/,
  CH: /^\d{4}$/,
  DE: /^\d{5}$/,
  DK: /^\d{4}$/,
  ES: /^\d{5}$/,
  FR: /^\d{5}$/,
  GB: /^(?:[A-Z]{1,2}\d[A-Z\d]?\d[A-Z]{2}|BFPO\d{1,4})$/,
  IN: /^[1-9]\d{5}$/,
  IT: /^\d{5}$/,
  JP: /^\d{7}$/,
  NL: /^[1-9]\d{3}[A-Z]{2}$/,
  PL: /^\d{5}$/,
  SE: /^\d{5}$/,
  US: /^(?:\d{4,5}|\d{8,9})$/,
};
