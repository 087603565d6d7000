export const TEXTS = {
  approve: "承認",
  blocked: "{count, plural, other {購入者の情報#件をブロックしました。}}",
  "check-again": "再確認",
  "customer-asked-to-cancel": "お客様がキャンセルを希望",
  "customer-didnt-confirm-the-order": "お客様が注文を確認しなかった",
  decline: "拒否",
  "done-many": "{parts}。",
  "done-one":
    "{name}を{kind, select, approve {承認しました} decline {拒否しました} late {拒否しましたが、発送済みのためキャンセルされません} recheck {再確認に送りました} other {対応済みにしました}}。",
  "done-part":
    "{count, plural, other {#件の注文}}を{kind, select, approve {承認しました} decline {拒否しました} late {拒否しましたが、発送済みのためキャンセルされません} recheck {再確認に送りました} other {対応済みにしました}}",
  "false-name-address-or-phone": "虚偽の名前、住所、電話番号",
  "mark-as-handled": "対応済みにする",
  "not-blocked": "{name}は拒否しましたが、ブロックはできませんでした。{why}",
  other: "その他",
  "reseller-promotion-or-return-abuse": "転売、プロモーション、返品の悪用",
  "still-blocked": "{name}の拒否は元に戻しましたが、購入者はブロックされたままです。{why}",
  "stolen-card-or-account": "盗まれたカードまたはアカウント",
  "suspected-fraud": "不正の疑い",
};
