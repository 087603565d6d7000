/** The entries of a text with commas or line breaks between them, without blanks around and without empty ones. */
export function toEntries(text: string): readonly string[] {
  const entries = text.split(/[,\n]/).map((entry) => entry.trim());
  return [...new Set(entries.filter((entry) => entry !== ""))];
}
