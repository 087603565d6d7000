export const TEXTS = {
  "access-log": "アクティビティログ",
  "by-month-end": "月末までの見込み",
  changed: "確認中に証拠の内容が変わったため、何も保存していません。現在保存される内容は次のとおりです。",
  communication: "購入者とのメッセージ",
  "communication-hint":
    "ここに貼り付けてください。Shopifyはアプリと共有しません。Holdfastには保存されません。",
  "count-meter": "見込み{expected}件、上限は{limit}件",
  email: "メールアドレス",
  "exactly-this": "この内容がそのままShopifyのフォームに保存されます。送信はされません。",
  "first-name": "名",
  "from-bank": "購入者の銀行",
  "from-local": "ローカルエンジン",
  "from-person": "スタッフ",
  "from-platform": "ストア",
  "from-service": "検証サービス",
  gauge: "今月の異議申し立て",
  "gauge-lead":
    "{day}以降。月間で両方の上限（注文の{share}、異議申し立て{count, number}件）を超えると、カードネットワークが対応します。出典：{source, select, visa {Visaの監視プログラムVAMP（2026年4月以降）} other {設定}}。",
  "keep-days": "異議申し立て用に注文を保管する日数",
  "keep-hint":
    "150～540日。400日で十分です。それより古い注文は削除されます。空欄：何も保管せず、保管したデータはすべて直ちに削除します。",
  "keep-lead":
    "購入者が貴店の顧客であることを銀行に示すため、Visaは過去の注文2件を求めます。Holdfastは各注文の番号、日時、金額、商品、IPアドレス、配送先住所、メールアドレス、カードブランドを暗号化して保管し、カード、顧客、メールアドレスの照合用ダイジェストも保管できます。今後の注文のみが対象です。プライバシーポリシーに記載してください。",
  known: "Holdfastが把握している内容",
  "last-name": "姓",
  "limit-count": "異議申し立て件数の上限",
  "limit-percent": "0より大きい割合を、1.5のように小数点を使って入力してください。",
  "limit-share": "注文に対する割合の上限（%）",
  "limits-lead":
    "カードネットワークが対応する、月間の異議申し立ての割合と件数。Visa：1.5%かつ1,500件（2026年4月以降）。",
  missing: "不足している情報と入手先",
  "not-kept":
    "このストアでは過去の注文を保管していません。今後の異議申し立てに備えて、オーナーが設定で有効にできます。",
  "off-deletes": "保存すると、保管したデータがすべて直ちに削除されます。",
  open: "証拠",
  pdf: "PDFをダウンロード",
  preview: "下書きを確認",
  range: "このペースが続く場合：おそらく{low}～{high}件",
  save: "Shopifyに下書きとして保存",
  "save-settings": "保存",
  saved: "下書きを保存しました。Shopifyで送信してください。",
  "settings-saved": "異議申し立ての設定を保存しました。",
  share: "注文に対する割合",
  "share-meter": "注文の{share}、上限は{limit}",
  "share-of": "{orders, number}件の注文に対して{count, plural, other {#件}}の異議申し立て",
  "shipping-address": "配送先住所",
  statement: "申し立て内容",
  stays: "入力済みのため変更しません。",
  tc40: "Visaは銀行の不正報告（TC40）も数えますが、Holdfastからは見えません。実際の数値はこれより高くなります。決済事業者に確認してください。",
  title: "{name}の証拠",
  "too-early": "月の初めのため、まだ予測できません",
  "why-filled":
    "Shopifyの項目はすべて入力済みのため、保存する内容はありません。代わりに証拠をダウンロードしてください。",
  "why-invalid": "Shopifyが内容を受け付けません。代わりに証拠をダウンロードしてください。",
  "why-no-form":
    "このプラットフォームにはアプリが入力できるフォームがありません。証拠をダウンロードしてください。",
  "why-not-allowed":
    "アプリにはこのストアで証拠を書き込む権限がありません。代わりにダウンロードしてください。",
  "why-past-due": "銀行の期限を過ぎています。",
  "why-submitted": "証拠は送信済みか、異議申し立ては終了しています。",
  "why-unknown":
    "Shopify Paymentsの異議申し立てではありません。証拠をダウンロードし、回答先にアップロードしてください。",
  "you-submit":
    "Holdfastが銀行に送信することはありません。証拠を確認し、ストアで送信してください。銀行向けの文章は英語です。",
};
