export const TEXTS = {
  amount: "高于您 {percent}% 的订单，直至下一档",
  "beside-first": "此模型尚不能保存。请将草稿保存为影子策略，并在 7 天后启用。",
  caption: "模型在标准分值上增加的分值",
  compared:
    "在之后的 {fraud, number} 个欺诈订单和 {good, number} 个正常订单中，模型将欺诈排在正常订单之前的比例为 {model, number}%，标准分值为 {base, number}%。在 100 次抽样中的 95 次，差值为 {low} 至 {high}。",
  feature: "信号",
  hour: "从 {from} 点起三小时内下单",
  lead: "模型从您的订单中学习您商店的欺诈迹象。它最多将订单移动一个风险等级，且不会取消订单。仅适用于由本地引擎判定的订单。",
  none: "此策略中没有模型。",
  "not-offered": "尚不能确定它优于标准分值，因此不提供。",
  off: "关闭模型",
  own: "在此策略中：一个更改 {count, plural, other {# 个信号}}的模型。",
  points: "分值",
  suggestion: "基于您订单的模型",
  title: "本地引擎：您自己的模型",
  "too-few":
    "已知结果尚不足。模型需要本地引擎在过去 {days, number} 天内评估的 {neededFrauds, number} 个欺诈订单和 {neededGoods, number} 个正常订单。目前有 {frauds, number} 个和 {goods, number} 个。",
  use: "使用此模型",
};
