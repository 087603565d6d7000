export const TEXTS = {
  assign: "分配给",
  "assign-to-me": "分配给我",
  "assigned-to-me": "已分配给您。",
  draft: "未保存的备注",
  for: "给 {name}",
  hint: "保存前保留在此处。客户不会看到。输入 @ 可提及同事。",
  mentions: "可提及的同事",
  nobody: "无人",
  note: "备注",
  notes: "{count, plural, other {# 条备注}}",
  saved: "备注已保存。",
  "you-are-mentioned": "提及了您",
};
