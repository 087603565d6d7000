export const TEXTS = {
  address: "adresse",
  card: "carte",
  mailbox: "e-mail",
  network: "réseau",
  phone: "téléphone",
};
