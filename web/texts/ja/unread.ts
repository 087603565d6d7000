export const TEXTS = {
  "not-granted": "Holdfastと共有されていません：設定ページでアプリにアクセス権を付与してください",
  "not-yet": "まだありません：プラットフォームで利用可能になり次第、Holdfastが再取得します",
  "personal-data": "Holdfastと共有されていません：アプリに個人データへのアクセス権がありません",
  refused: "読み取れません：プラットフォームの応答を利用できませんでした",
  throttled: "未取得：プラットフォームが読み取り量を制限しています。Holdfastが再取得します",
  unavailable: "未取得：プラットフォームに接続できませんでした。Holdfastが再取得します",
};
