import { Select } from "../components/form.tsx";
import { changeLanguage, LANGUAGE_OPTIONS, readChosenLanguage } from "../data/base/language.ts";
import { t } from "../data/base/texts.ts";
import type { Language } from "../../src/texts/languages.ts";

const AUTOMATIC = "";

/** Chooses the console's language in this browser. The page loads again, so that all of it has the same one. */
export function LanguageChoice() {
  return (
    <Select<Language | "">
      label={t("languages.language")}
      value={readChosenLanguage() ?? AUTOMATIC}
      options={[[AUTOMATIC, t("languages.same-as-browser")], ...LANGUAGE_OPTIONS]}
      onChange={(language) => changeLanguage(language === AUTOMATIC ? null : language)}
    />
  );
}
