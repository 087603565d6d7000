export const TEXTS = {
  "a-weight-isnt-valid-use-the": "無効な重みがあります。提案された重みか標準の重みを使用してください。",
  "back-to-the-standard-weights": "標準の重みに戻す",
  basis:
    "過去{days, number}日間にローカルエンジンが評価した、不正な注文{frauds, plural, other {#件}}と正常な注文{goods, plural, other {#件}}に基づきます。",
  "in-this-policy-the-standard-weights": "このポリシーの重み：標準。",
  "local-engine-your-own-weights": "ローカルエンジン：独自の重み",
  "not-seen": "該当なし",
  now: "現在",
  own: "このポリシーの重み：{count, plural, other {#個}}のシグナルに独自の重み。",
  "points-of-signals-in-this-policy": "シグナルの点数（このポリシーと提案）",
  seen: "不正な注文{frauds, number}件中{fraud, number}件、正常な注文{goods, number}件中{good, number}件",
  signal: "シグナル",
  standard: "標準{points}",
  suggested: "提案",
  "suggestion-from-your-orders": "注文からの提案",
  "the-local-engine-gives-each-signal":
    "ローカルエンジンは各シグナルに点数を付けます。0より上は不正の可能性、下はその逆を示し、すべてのストアで共通です。十分な数の注文の結果が分かると、ストアに合った点数を、最大で半分までの変更として提案します。保存した時点から、ローカルエンジンが判定する注文にのみ適用されます。",
  "the-policy-already-has-these-weights": "ポリシーにはすでにこの重みが設定されています。",
  "too-few":
    "結果の分かった注文がまだ足りません。提案には、過去{days, number}日間にローカルエンジンが評価した不正な注文{neededFrauds, number}件と正常な注文{neededGoods, number}件が必要です。現在は{frauds, number}件と{goods, number}件です。",
  "use-the-suggested-weights": "提案された重みを使用",
  "you-already-use-the-standard-weights": "すでに標準の重みを使用しています。",
  "your-orders-agree-with-the-standard": "注文の結果は標準の重みと一致しています。",
};
