export const TEXTS = {
  "days-are-the-shops": "Listen nach Tagen, Filter und Berichte zählen die Tage des Shops.",
  language: "Sprache",
  "same-as-browser": "Wie der Browser",
  "the-shops": "Die des Shops ({zone})",
  "this-devices": "Die dieses Geräts ({zone})",
  "time-zone": "Zeitzone",
};
