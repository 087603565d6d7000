export const TEXTS = {
  address: "Adresse",
  card: "Karte",
  mailbox: "E-Mail-Adresse",
  network: "Netzwerk",
  phone: "Telefonnummer",
};
