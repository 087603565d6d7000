export const TEXTS = {
  "days-are-the-shops": "Les listes par jour, les filtres et les rapports comptent les jours de la boutique.",
  language: "Langue",
  "same-as-browser": "Celle du navigateur",
  "the-shops": "Celui de la boutique ({zone})",
  "this-devices": "Celui de cet appareil ({zone})",
  "time-zone": "Fuseau horaire",
};
