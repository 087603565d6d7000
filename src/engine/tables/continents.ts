/** ISO 3166-1 codes of the countries of each continent, as the United Nations group them (M49). */
const COUNTRIES_BY_CONTINENT: Readonly<Record<string, string>> = {
  Africa:
    "AO BF BI BJ BW CD CF CG CI CM CV DJ DZ EG EH ER ET GA GH GM GN GQ GW KE KM LR LS LY MA MG ML MR MU MW MZ NA NE NG RW SC SD SH SL SN SO SS ST SZ TD TG TN TZ UG ZA ZM ZW",
  Americas:
    "AG AI AR AW BB BL BM BO BQ BR BS BZ CA CL CO CR CU CW DM DO EC FK GD GL GT GY HN HT JM KN KY LC MF MS MX NI PA PE PY SR SV SX TC TT US UY VC VE VG",
  Asia: "AE AF AM AZ BD BH BN BT CN CY GE HK ID IL IN IQ IR JO JP KG KH KP KR KW KZ LA LB LK MM MN MO MV MY NP OM PH PK PS QA SA SG SY TH TJ TL TM TR TW UZ VN YE",
  Europe:
    "AD AL AT BA BE BG BY CH CZ DE DK EE ES FI FO FR GB GI GR HR HU IE IS IT LT LU LV MD ME MK MT NL NO PL PT RO RS RU SE SI SK UA XK",
  Oceania: "AU CK FJ FM KI MH NC NR NU NZ PF PG PN PW SB TK TO TV VU WF WS",
};

const CONTINENTS: ReadonlyMap<string, string> = new Map(
  Object.entries(COUNTRIES_BY_CONTINENT).flatMap(([continent, countries]) =>
    countries.split(" ").map((country) => [country, continent]),
  ),
);

/** Whether two countries are known to lie on different continents. */
export function liesOverseas(first: string, second: string): boolean {
  const [left, right] = [CONTINENTS.get(first), CONTINENTS.get(second)];
  return left !== undefined && right !== undefined && left !== right;
}
