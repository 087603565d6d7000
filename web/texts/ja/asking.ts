export const TEXTS = {
  advice:
    "購入者がこの注文を確認しました（{method, select, earlier_address {以前の連絡先} card_code {カード明細} other {資料}}）",
  "advice-milder": "リスクを1段階低いものとして確認してください",
  "advice-wrong": "購入者は自分の注文ではないと回答したか、確認できませんでした",
  "any-word": "購入者の回答すべて",
  answer: "回答",
  answered:
    "{answer, select, right {注文を確認} wrong {本人の注文ではない、または確認できず} other {審査用の資料を送信}}（{method, select, earlier_address {以前の連絡先} card_code {カード明細のコード} other {資料}}）",
  "buyer-answered": "購入者が回答",
  "buyer-asked": "購入者に確認",
  "buyer-confirmed": "購入者が確認済み、判断は担当者",
  "confirmed-reason": "購入者が注文を確認しました",
  copied: "リンクをコピーしました。{address} にのみ送ってください",
  "copy-link": "購入者用リンクをコピー",
  "from-buyer": "購入者",
  "keep-addresses":
    "問題のなかった注文の連絡先を注文と同じ期間保存し、後の購入者への確認に使う。プライバシーポリシーに記載してください",
  figure:
    "{figure, select, asked {確認した購入者} answered {回答あり} right {確認済み} released {解除済み} other {後のチャージバック}}",
  language: "購入者の言語が不明な場合の言語",
  level: "このリスクレベルで購入者に確認：{level}",
  method: "{method, select, earlier_address {以前の連絡先} card_code {カード明細のコード} other {資料}}",
  "nobody-asked": "確認方法がなかったため、誰にも確認していません",
  "not-offered": "利用不可",
  "not-sent": "送信できませんでした（{problem}）。リンクをコピーしてください",
  "of-order": "{address}（注文 {order} で使用）",
  "open-file":
    "{kind, select, heic {ファイルを保存} pdf {ファイルを保存} other {画像を表示}}（{kind}、{size, number} kB）",
  option:
    "{verify, select, none {購入者に確認しない} release {購入者に確認し、正しい回答なら保留を解除} other {購入者に確認し、人が判断}}",
  picture: "購入者が送った画像",
  retry: "次の試行",
  sent: "送信日時",
  "sent-to": "リンクの送付先",
  "shop-name": "購入者向けのショップ名",
  state:
    "{state, select, open {購入者の回答待ち} answered {購入者が回答しました} closed {リンクは無効です} other {確認していません}}",
  status: "状況",
  "the-buyer": "購入者",
  "the-platforms-address": "プラットフォーム上のアドレス",
  title: "購入者に確認",
  until: "リンクの期限",
  ways: "回答方法",
  "why-not":
    "{method, select, earlier_address {以前の連絡先} card_code {カード明細のコード} other {資料}}：{reason, select, not_chosen {ポリシーで対象外} no_earlier_order {この顧客の対象となる以前の注文なし} no_earlier_address {以前の注文の連絡先が保存されていない} platform_cannot {プラットフォームが非対応} not_a_card {カード払いではない} no_payment {使用できる支払いなし} not_configured {未設定} already_used {使用済み} several_cards {複数のカードが試された} card_not_saved {カードが保存されていない} storage_full {ファイルの空きなし} other {現在は不可}}",
  with: "{what}。購入者に確認：{verify, select, release {正しい回答で保留を解除} other {人が判断}}",
  word: "{word, select, asked {購入者に確認中} right {購入者が確認済み} wrong {購入者は自分の注文ではないと回答} other {購入者から資料あり}}",
  "word-label": "購入者の回答",
};
