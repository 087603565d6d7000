export const TEXTS = {
  assign: "Zugewiesen an",
  "assign-to-me": "Mir zuweisen",
  "assigned-to-me": "Dir zugewiesen.",
  draft: "nicht gespeicherte Notiz",
  for: "für {name}",
  hint: "Bleibt hier, bis du sie speicherst. Der Kunde sieht sie nicht. Schreibe @, um Kollegen zu erwähnen.",
  mentions: "Kollegen zum Erwähnen",
  nobody: "Niemand",
  note: "Notiz",
  notes: "{count, plural, one {# Notiz} other {# Notizen}}",
  saved: "Notiz gespeichert.",
  "you-are-mentioned": "erwähnt dich",
};
