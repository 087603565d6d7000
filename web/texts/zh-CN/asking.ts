export const TEXTS = {
  advice:
    "买家已确认此订单（{method, select, earlier_address {以前的联系方式} card_code {卡账单} other {证明材料}}）",
  "advice-milder": "请按低一级风险来审核",
  "advice-wrong": "买家表示这不是其订单，或未能确认",
  answer: "答复",
  answered:
    "{answer, select, right {已确认订单} wrong {不是其订单，或未能确认} other {已发送材料供审核}}（{method, select, earlier_address {以前的联系方式} card_code {卡账单上的代码} other {证明材料}}）",
  "buyer-answered": "买家已答复",
  "buyer-asked": "已询问买家",
  "buyer-confirmed": "买家已确认，由人工决定",
  "confirmed-reason": "买家已确认订单",
  copied: "链接已复制。请仅发送至 {address}",
  "copy-link": "复制买家链接",
  language: "买家语言未知时使用的语言",
  level: "在此风险级别询问买家：{level}",
  method: "{method, select, earlier_address {以前的联系方式} card_code {卡账单上的代码} other {证明材料}}",
  "nobody-asked": "未询问任何人：没有可行的方式",
  "not-offered": "未提供",
  "not-sent": "无法发送（{problem}）。请复制链接",
  "of-order": "{address}（订单 {order} 曾使用）",
  option:
    "{verify, select, none {不询问买家} release {询问买家，答复正确则解除暂停} other {询问买家，由人工决定}}",
  retry: "下次尝试",
  sent: "发送时间",
  "sent-to": "链接发送至",
  "shop-name": "面向买家的商店名称",
  state:
    "{state, select, open {等待买家答复} answered {买家已答复} closed {链接已失效} other {未询问任何人}}",
  status: "状态",
  "the-buyer": "买家",
  "the-platforms-address": "您在平台上的地址",
  title: "询问买家",
  until: "链接有效期至",
  ways: "答复方式",
  "why-not":
    "{method, select, earlier_address {以前的联系方式} card_code {卡账单上的代码} other {证明材料}}：{reason, select, not_chosen {政策未选用} no_earlier_order {该客户没有符合条件的早期订单} no_earlier_address {未保存早期订单的联系方式} platform_cannot {平台不支持} not_a_card {未用卡支付} no_payment {没有可用的付款} not_configured {未设置} already_used {已使用} storage_full {没有空间存放更多文件} other {目前不可行}}",
  with: "{what}。询问买家：{verify, select, release {答复正确则解除暂停} other {由人工决定}}",
};
