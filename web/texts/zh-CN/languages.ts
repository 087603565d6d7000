export const TEXTS = {
  "days-are-the-shops": "按日列表、筛选和报告按店铺的日期计算。",
  language: "语言",
  "same-as-browser": "与浏览器相同",
  "the-shops": "店铺时区（{zone}）",
  "this-devices": "此设备的时区（{zone}）",
  "time-zone": "时区",
};
