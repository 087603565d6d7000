/** The languages by their tags, each named in itself. Each has a folder of the same name here and in `web/texts`. */
export const LANGUAGES = {
  en: "English",
  de: "Deutsch",
  es: "Español",
  fr: "Français",
  ja: "日本語",
  "pt-BR": "Português (Brasil)",
  "zh-CN": "简体中文",
} as const;

export type Language = keyof typeof LANGUAGES;
export const LANGUAGE_TAGS = Object.keys(LANGUAGES) as readonly Language[];
