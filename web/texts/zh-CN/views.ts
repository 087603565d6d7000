export const TEXTS = {
  orders: "订单",
  overview: "概览",
  policy: "策略",
  queue: "队列",
  report: "报告",
  settings: "设置",
};
