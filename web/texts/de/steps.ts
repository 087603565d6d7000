export const TEXTS = {
  assess: "Bewertung",
  cancel: "Stornierung",
  capture: "Einzug",
  hold: "Zurückstellung",
  release: "Freigabe",
  tag: "Tags",
  untag: "Entfernen von Tags",
};
