export const TEXTS = {
  assign: "担当者",
  "assign-to-me": "自分に割り当てる",
  "assigned-to-me": "あなたに割り当てました。",
  draft: "未保存のメモ",
  for: "{name}のメモ",
  hint: "保存するまでここに残ります。お客様には表示されません。@で同僚にメンションできます。",
  mentions: "メンションできる同僚",
  nobody: "なし",
  note: "メモ",
  notes: "{count, plural, other {メモ#件}}",
  saved: "メモを保存しました。",
  "you-are-mentioned": "あなたへのメンション",
};
