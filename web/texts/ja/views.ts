export const TEXTS = {
  orders: "注文",
  overview: "概要",
  policy: "ポリシー",
  queue: "キュー",
  report: "レポート",
  settings: "設定",
};
