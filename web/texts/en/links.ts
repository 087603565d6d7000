/** links */
export const TEXTS = {
  address: "address",
  card: "card",
  mailbox: "email",
  network: "network",
  phone: "phone",
} as const;
