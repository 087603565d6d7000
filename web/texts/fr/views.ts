export const TEXTS = {
  orders: "Commandes",
  overview: "Vue d’ensemble",
  policy: "Politique",
  queue: "File",
  report: "Rapport",
  settings: "Paramètres",
};
