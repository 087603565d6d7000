export const TEXTS = {
  assess: "évaluation",
  cancel: "annulation",
  capture: "capture",
  hold: "suspension",
  release: "levée",
  tag: "balises",
  untag: "retrait de balises",
};
