import * as fc from "fast-check";

const SURROGATES_START = 0xd800;
const SURROGATES = 0x800;
const LAST = 0x10ffff;

/** Any Unicode character. fast-check's own unit "binary" lists all of them first, which takes a second or more. */
const anyCharacter = fc
  .nat(LAST - SURROGATES)
  .map((number) => String.fromCodePoint(number < SURROGATES_START ? number : number + SURROGATES));

/** Text of any characters, as `fc.string({ unit: "binary" })`. */
export function anyText(
  length: { readonly minLength?: number; readonly maxLength?: number } = {},
): fc.Arbitrary<string> {
  return fc.string({ unit: anyCharacter, ...length });
}
