export const TEXTS = {
  assess: "avaliação",
  cancel: "cancelamento",
  capture: "captura",
  hold: "retenção",
  release: "liberação",
  tag: "tags",
  untag: "remoção de tags",
};
