import type { BuyerTexts } from "./en.ts";

export const TEXTS: BuyerTexts = {
  title: "ご本人のご注文ですか？",
  intro: "{shop}はこのご注文を受け付けました。発送の前に、ご回答をお待ちしています。",
  order: "ご注文 {name}",
  items: "商品",
  "more-items": "ほか{count}点",
  "nothing-secret": "このページでパスワードやカード番号をお尋ねすることはありません。",
  "gone-title": "このリンクは使用できません",
  gone: "リンクは1回限りで、有効期間があります。ご注文についてのご質問は、ショップにお問い合わせください。",
  "thanks-title": "ありがとうございます",
  thanks: "{shop}がご回答を受け取りました。このページは閉じてかまいません。",
  "too-many-title": "試行回数が多すぎます",
  "too-many": "しばらく待ってから、もう一度リンクを開いてください。",
  "try-again": "確認できませんでした。回答を確かめて、もう一度お試しください。",
  "choose-one": "回答を1つ選んでください。",
  "mail-subject": "{shop}：ご注文 {name} はご本人のものですか？",
  "mail-intro": "{shop}はご注文 {name} を受け付けました。発送の前に、ご回答をお待ちしています。",
  "mail-open": "次のページを開いて、ご注文を確認するか、ご自身のものではないことをお知らせください。",
  "mail-once": "リンクは1回限り、{until}（UTC）まで有効です。転送しないでください。",
  "mail-not-you":
    "お心当たりがない場合も、ページを開いてお知らせください。その場合、ショップの担当者が確認するまでご注文は保留されます。",
  // earlier-address
  "earlier-title": "このご注文をされましたか？",
  "earlier-text": "以前のご注文でこの連絡先が使われたため、こちらにお尋ねしています。",
  "earlier-yes": "はい、注文しました",
  "earlier-no": "いいえ、私の注文ではありません",
};
