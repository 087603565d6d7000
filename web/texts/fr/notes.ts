export const TEXTS = {
  assign: "Attribuée à",
  "assign-to-me": "M’attribuer la commande",
  "assigned-to-me": "La commande vous est attribuée.",
  draft: "note non enregistrée",
  for: "pour {name}",
  hint: "Conservée ici jusqu’à son enregistrement. Le client ne la voit pas. Saisissez @ pour mentionner un collègue.",
  mentions: "Collègues à mentionner",
  nobody: "Personne",
  note: "Note",
  notes: "{count, plural, one {# note} other {# notes}}",
  saved: "Note enregistrée.",
  "you-are-mentioned": "vous mentionne",
};
