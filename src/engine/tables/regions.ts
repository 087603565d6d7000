/** Ways people write a region that the standard names do not cover. Country → folded text → code. */
export const REGION_ALIASES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  US: {
    "washington dc": "DC",
    "washington d.c.": "DC",
    "virgin islands": "VI",
  },
  CA: { newfoundland: "NL", "northwest territories": "NT", yukon: "YT", "yukon territory": "YT" },
  MX: {
    cdmx: "D.F.",
    df: "D.F.",
    "ciudad de mexico": "D.F.",
    "mexico city": "D.F.",
    mexico: "MEX",
  },
};

/** "States" of the United States' military post; what is sent there may be ordered from anywhere. */
export const MILITARY_REGIONS: ReadonlySet<string> = new Set(["aa", "ae", "ap"]);
/** "Cities" of the military and diplomatic post of the United States and of British forces. */
export const MILITARY_CITIES: ReadonlySet<string> = new Set(["apo", "fpo", "dpo", "bfpo"]);
