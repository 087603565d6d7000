export { cleanText, firstText, joinText } from "../../../src/mapping.ts";
