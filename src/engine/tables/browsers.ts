/**
 * The newest major version of desktop browsers on one day, and how many appear in a year.
 *
 * Source: the version table of the npm package `caniuse-lite` 1.0.30001826 (CC BY 4.0, caniuse.com); the pace is that of
 * a release every four weeks. Kept by hand.
 */
export const NEWEST_BROWSERS = {
  asOf: "2026-11-03",
  perYear: 13,
  major: { chrome: 157, firefox: 160 },
} as const;

/** The last major version that ran on a Windows before 10. */
export const LAST_ON_OLD_WINDOWS = { chrome: 109, firefox: 115 } as const;
