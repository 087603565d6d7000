export const TEXTS = {
  "a-weight-isnt-valid-use-the": "有权重无效。请使用建议的权重或标准权重。",
  "back-to-the-standard-weights": "恢复标准权重",
  basis:
    "基于本地引擎在过去 {days, number} 天内评估的{frauds, plural, other { # 个欺诈订单}}和{goods, plural, other { # 个正常订单}}。",
  "in-this-policy-the-standard-weights": "在此策略中：标准权重。",
  "local-engine-your-own-weights": "本地引擎：您自己的权重",
  "not-seen": "未出现",
  now: "当前",
  own: "在此策略中：{count, plural, other {# 个信号}}使用您自己的权重。",
  "points-of-signals-in-this-policy": "信号的分值（此策略和建议）",
  seen: "出现在 {frauds, number} 个欺诈订单中的 {fraud, number} 个和 {goods, number} 个正常订单中的 {good, number} 个",
  signal: "信号",
  standard: "标准 {points}",
  suggested: "建议",
  "suggestion-from-your-orders": "根据您的订单建议",
  "the-local-engine-gives-each-signal":
    "本地引擎为每个信号赋予分值：大于零表示偏向欺诈，小于零则相反。所有商店的分值相同。当足够多的订单有已知结果时，它会建议适合您商店的分值，每项最多改变一半。分值自您保存起生效，且仅适用于由本地引擎判定的订单。",
  "the-policy-already-has-these-weights": "策略已使用这些权重。",
  "too-few":
    "已知结果尚不足。建议需要本地引擎在过去 {days, number} 天内评估的 {neededFrauds, number} 个欺诈订单和 {neededGoods, number} 个正常订单。目前有 {frauds, number} 个和 {goods, number} 个。",
  "use-the-suggested-weights": "使用建议的权重",
  "you-already-use-the-standard-weights": "您已在使用标准权重。",
  "your-orders-agree-with-the-standard": "您的订单与标准权重相符。",
};
