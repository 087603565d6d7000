export const TEXTS = {
  address: "endereço",
  card: "cartão",
  mailbox: "e-mail",
  network: "rede",
  phone: "telefone",
};
