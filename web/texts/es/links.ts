export const TEXTS = {
  address: "dirección",
  card: "tarjeta",
  mailbox: "correo electrónico",
  network: "red",
  phone: "teléfono",
};
