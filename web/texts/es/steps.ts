export const TEXTS = {
  assess: "evaluación",
  cancel: "cancelación",
  capture: "captura",
  hold: "retención",
  release: "liberación",
  tag: "etiquetas",
  untag: "eliminación de etiquetas",
};
