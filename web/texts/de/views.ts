export const TEXTS = {
  orders: "Bestellungen",
  overview: "Übersicht",
  policy: "Richtlinie",
  queue: "Warteschlange",
  report: "Bericht",
  settings: "Einstellungen",
};
