export const TEXTS = {
  "chargeback-gauge":
    "{limit}中{share}：カードネットワークが対応を始める割合です。{watch}から注意してください。",
  "chargeback-rate": "チャージバック率",
  "chargebacks-of": "{sold, plural, other {販売した注文#件}}中{count, number}件",
  cost: "{cost}、{saved, number}件節約",
  "cost-unknown":
    "{saved, number}件節約。クレジットの費用を確認するには、<link>価格を入力</link>してください。",
  credits: "使用したクレジット",
  "false-positives": "停止した注文のうち正常な注文",
  "fraud-missed": "見逃した不正",
  "fraud-stopped": "停止した不正",
  "good-of-known": "結果が分かっている停止済みの注文{known, number}件中{good, number}件",
  "good-stopped": "停止した正常な注文",
  "no-currency":
    "ストアの通貨が不明なため、金額は通貨別に表示されます。<link>通貨を選択</link>してください。",
  "not-known-yet": "停止済み（結果は不明）",
  orders: "{count, plural, other {注文#件}}",
  rate: "1 {currency} = {value}（{day}）",
  "rates-used": "為替レート：{rates}。",
  "review-hint": "{count, plural, other {注文#件}}。9割は{p90}以内",
  "review-time": "標準的な確認時間",
  "too-few": "件数不足で判断できません",
  "too-few-of": "分かっている結果{known, number}件中{good, number}件（必要な件数：{needed, number}件）",
  trends: "週別",
  week: "週の開始日",
  "what-it-was-worth": "効果の金額",
  "without-rate": "ほかに<link>為替レート</link>のない{sum}",
};
