export const TEXTS = {
  assess: "评估",
  cancel: "取消",
  capture: "收款",
  hold: "暂缓",
  release: "解除",
  tag: "加标签",
  untag: "移除标签",
};
