export const TEXTS = {
  approve: "批准",
  blocked: "{count, plural, other {已屏蔽买家的 # 项信息。}}",
  "check-again": "重新检查",
  "customer-asked-to-cancel": "客户要求取消",
  "customer-didnt-confirm-the-order": "客户未确认订单",
  decline: "拒绝",
  "done-many": "{parts}。",
  "done-one":
    "{name} {kind, select, approve {已批准} decline {已拒绝} late {已拒绝，但未取消：已发货} recheck {已送去重新检查} other {已标记为已处理}}。",
  "done-part":
    "{count, plural, other {# 个订单}}{kind, select, approve {已批准} decline {已拒绝} late {已拒绝，但未取消：已发货} recheck {已送去重新检查} other {已标记为已处理}}",
  "false-name-address-or-phone": "虚假姓名、地址或电话",
  "mark-as-handled": "标记为已处理",
  "not-blocked": "{name} 已拒绝，但未屏蔽任何内容。{why}",
  other: "其他",
  "reseller-promotion-or-return-abuse": "滥用转售、促销或退货",
  "still-blocked": "已撤销对 {name} 的拒绝，但买家仍被屏蔽。{why}",
  "stolen-card-or-account": "被盗的银行卡或账户",
  "suspected-fraud": "疑似欺诈",
};
