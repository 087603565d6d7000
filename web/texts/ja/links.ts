export const TEXTS = {
  address: "住所",
  card: "カード",
  mailbox: "メールアドレス",
  network: "ネットワーク",
  phone: "電話番号",
};
