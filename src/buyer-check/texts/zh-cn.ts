import type { BuyerTexts } from "./en.ts";

export const TEXTS: BuyerTexts = {
  title: "这是您的订单吗？",
  intro: "{shop}已收到此订单，发货前等待您的答复。",
  order: "订单 {name}",
  items: "商品",
  "more-items": "另有 {count} 件",
  "nothing-secret": "我们绝不会在此页面索要密码或卡号。",
  "gone-title": "此链接已失效",
  gone: "链接只能使用一次，且有时间限制。如对订单有疑问，请联系商店。",
  "thanks-title": "谢谢",
  thanks: "{shop}已收到您的答复。您可以关闭此页面。",
  "too-many-title": "尝试次数过多",
  "too-many": "请稍候，然后再次打开链接。",
  "try-again": "未能确认。请检查您的答复，然后重试。",
  "choose-one": "请选择一个答复。",
  "mail-subject": "{shop}：订单 {name} 是您的吗？",
  "mail-intro": "{shop}已收到订单 {name}，发货前等待您的答复。",
  "mail-open": "请打开此页面确认订单，或告知这不是您的订单：",
  "mail-once": "链接只能使用一次，有效期至 {until}（UTC）。请勿转发。",
  "mail-not-you": "如果您没有下单，也请打开页面告知我们。之后，订单会一直保留，直到店铺的工作人员查看。",
  // earlier-address
  "earlier-title": "这是您下的订单吗？",
  "earlier-text": "因为您之前的订单使用过此联系方式，所以我们在此询问您。",
  "earlier-yes": "是的，是我下的订单",
  "earlier-no": "不，这不是我的订单",
};
