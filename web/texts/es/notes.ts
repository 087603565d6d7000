export const TEXTS = {
  assign: "Asignado a",
  "assign-to-me": "Asignarme a mí",
  "assigned-to-me": "Asignado a ti.",
  draft: "nota sin guardar",
  for: "para {name}",
  hint: "Se conserva aquí hasta que la guardes. El cliente no la ve. Escribe @ para mencionar a un colega.",
  mentions: "Colegas que puedes mencionar",
  nobody: "Nadie",
  note: "Nota",
  notes: "{count, plural, one {# nota} other {# notas}}",
  saved: "Nota guardada.",
  "you-are-mentioned": "te menciona",
};
