export const TEXTS = {
  "being-carried-out": "{decision}現在処理中です。しばらくしてからもう一度お試しください。",
  "cant-reach-the-server-check-your": "サーバーに接続できません。接続を確認して、もう一度お試しください。",
  contested: "{decision}別の判断をする前に、注文をもう一度確認してください。",
  "couldnt-get-a-session-from-the":
    "プラットフォームからセッションを取得できませんでした。ページを再読み込みしてください。",
  decided:
    "{who}さんが{time}に{act, select, approve {この注文を承認しました} decline {この注文を拒否しました} handle {この注文を対応済みにしました} other {この注文の再確認を依頼しました}}。",
  "holdfast-is-unavailable-try-again-in": "Holdfastは現在利用できません。数分後にもう一度お試しください。",
  "in-english": "{text}（英語）",
  "requires-role":
    "{role, select, viewer {閲覧者} reviewer {確認担当者} other {オーナー}}の役割が必要です。オーナーにアクセス権を依頼してください。",
  "server-error": "サーバーがエラーを返しました（{status}）。もう一度お試しください。",
  "someone-else-changed-this-reload-to":
    "ほかの人が変更しました。再読み込みして最新の状態を確認してください。",
  "something-went-wrong-on-this-page": "このページで問題が発生しました。再読み込みしてください。",
  "this-doesnt-exist-or-it-was": "存在しないか、削除されました。前に戻って、もう一度お試しください。",
  "too-late": "取り消し期限を過ぎました：{decision}",
  "too-many-requests-wait-a-moment": "リクエストが多すぎます。しばらく待ってから、もう一度お試しください。",
  "undo-first": "{decision}先にそれを取り消してください。",
  "your-role-doesnt-allow-this-ask":
    "現在の役割ではこの操作はできません。オーナーにアクセス権を依頼してください。",
  "your-session-has-ended-sign-in": "セッションが終了しました。もう一度ログインしてください。",
};
