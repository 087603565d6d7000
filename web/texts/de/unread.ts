export const TEXTS = {
  "not-granted": "nicht mit Holdfast geteilt: Gib der App auf der Einstellungsseite Zugriff",
  "not-yet": "noch nicht da: Holdfast sieht erneut nach, sobald die Plattform es hat",
  "personal-data": "nicht mit Holdfast geteilt: Die App hat keinen Zugriff auf personenbezogene Daten",
  refused: "nicht lesbar: Die Antwort der Plattform war unbrauchbar",
  throttled: "noch nicht gelesen: Die Plattform begrenzt, wie viel gelesen wird. Holdfast sieht erneut nach",
  unavailable: "noch nicht gelesen: Die Plattform war nicht erreichbar. Holdfast sieht erneut nach",
};
