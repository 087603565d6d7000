export const TEXTS = {
  all: "全部",
  basis:
    "基于过去 {days, number} 天内{count, plural, other {# 个已判定订单}}中的 {known, number} 个：{refunded, plural, =0 {其余订单的结果尚不清楚} other {其余订单已退款或结果尚不清楚}}。欺诈：因欺诈被撤单、因欺诈被拒绝，或在平台上因欺诈被取消。正常：由人工批准，或 {undisputedDays, number} 天前放行且无争议。已退款：已全额退款。这既不算欺诈也不算正常，不会改变任何权重。在仅观察模式下，本应暂缓或取消的订单计为识别或拦截。",
  caught: "在已知为欺诈的{count, plural, other {# 个订单}}中，Holdfast 识别出 {caught, number} 个。",
  few: "目前只有{count, plural, other {# 个订单}}被证实为欺诈，因此比例仍可能大幅变化。",
  "fraud-caught": "识别的欺诈",
  "fraud-caught-and-good-orders-stopped": "识别的欺诈和拦截的正常订单",
  "good-orders-stopped": "拦截的正常订单",
  level: "等级",
  "no-order-is-known-to-be": "尚无已知的正常订单。",
  "no-order-turned-out-to-be": "没有订单被证实为欺诈。",
  "no-outcomes-are-known-yet": "尚无已知结果。",
  "no-payment-dispute-has-arrived-if":
    "尚未收到付款争议。如果您的商店未共享争议，则不会计入漏过的欺诈，被撤单的订单会计为正常。",
  "no-risk-level": "无风险等级",
  "orders-whose-outcome-is-known-by": "已知结果的订单（按风险等级）",
  refunded: "已退款",
  stopped: "在已知为正常的{count, plural, other {# 个订单}}中，Holdfast 拦截了 {stopped, number} 个。",
  "too-few": "数量太少，无法判断",
  "too-few-good":
    "数量太少，无法判断正常订单被拦截的频率：需要 {needed, number} 个。人工检查过的订单大多是被暂扣的；放行的订单在 {days, number} 天内无争议后才计入。",
};
