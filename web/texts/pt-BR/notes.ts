export const TEXTS = {
  assign: "Atribuído a",
  "assign-to-me": "Atribuir a mim",
  "assigned-to-me": "Atribuído a você.",
  draft: "nota não salva",
  for: "para {name}",
  hint: "Fica aqui até você salvar. O cliente não vê. Digite @ para mencionar um colega.",
  mentions: "Colegas para mencionar",
  nobody: "Ninguém",
  note: "Nota",
  notes: "{count, plural, one {# nota} other {# notas}}",
  saved: "Nota salva.",
  "you-are-mentioned": "menciona você",
};
