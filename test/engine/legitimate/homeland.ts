/**
 * What ordinary orders from a country are made of. Names are common ones of the country, each in its own script and,
 * after a bar, as people write it in Latin letters. Places, postal codes and numbering are public; the streets are
 * ones that every town has. In patterns `#` is any digit and `%` one from 2 to 9.
 */
export interface Homeland {
  readonly code: string;
  readonly currency: string;
  /** Hours ahead of UTC, roughly. */
  readonly utcOffset: number;
  readonly given: string;
  /** Empty where people have one name. */
  readonly family: string;
  readonly familyFirst?: true;
  readonly streets: string;
  /** `city;state;postal code pattern`, separated by bars. */
  readonly places: string;
  readonly phones: string;
  readonly mail: string;
  /** First three numbers of addresses that the country's large access providers route. */
  readonly networks: string;
}
