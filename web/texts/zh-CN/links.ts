export const TEXTS = {
  address: "地址",
  card: "银行卡",
  mailbox: "邮箱",
  network: "网络",
  phone: "电话",
};
