export const TEXTS = {
  amount: "注文の{percent}%より高額（次の区分まで）",
  "beside-first":
    "このモデルはまだ保存できません。下書きをファントムとして保存し、7日後に有効にしてください。",
  caption: "モデルが標準の点数に加える点数",
  compared:
    "その後の不正な注文{fraud, number}件と正常な注文{good, number}件で、不正を正常より上に並べた割合はモデルが{model, number}%、標準の点数が{base, number}%です。100回中95回の差は{low}～{high}です。",
  feature: "シグナル",
  hour: "{from}時からの3時間の注文",
  lead: "モデルは、ストアの注文から不正の兆候を学びます。注文のリスクレベルを最大で1段階動かし、キャンセルはしません。ローカルエンジンが判定する注文にのみ適用されます。",
  none: "このポリシーにモデルはありません。",
  "not-offered": "標準の点数より確実に優れているとはまだ言えないため、提案されません。",
  off: "モデルをオフにする",
  own: "このポリシー：{count, plural, other {#個}}のシグナルを変えるモデル。",
  points: "点数",
  suggestion: "注文から作ったモデル",
  title: "ローカルエンジン：独自のモデル",
  "too-few":
    "結果の分かった注文がまだ足りません。モデルには、過去{days, number}日間にローカルエンジンが評価した不正な注文{neededFrauds, number}件と正常な注文{neededGoods, number}件が必要です。現在は{frauds, number}件と{goods, number}件です。",
  use: "このモデルを使用",
};
