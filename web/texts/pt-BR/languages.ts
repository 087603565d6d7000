export const TEXTS = {
  "days-are-the-shops": "As listas por dia, os filtros e os relatórios contam os dias da loja.",
  language: "Idioma",
  "same-as-browser": "Igual ao navegador",
  "the-shops": "O da loja ({zone})",
  "this-devices": "O deste dispositivo ({zone})",
  "time-zone": "Fuso horário",
};
