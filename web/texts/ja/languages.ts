export const TEXTS = {
  "days-are-the-shops": "日別の一覧、絞り込み、レポートはショップの日付で数えます。",
  language: "言語",
  "same-as-browser": "ブラウザと同じ",
  "the-shops": "ショップのタイムゾーン（{zone}）",
  "this-devices": "この端末のタイムゾーン（{zone}）",
  "time-zone": "タイムゾーン",
};
