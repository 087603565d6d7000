export const TEXTS = {
  already:
    "{act, select, approve {この注文は承認済みです。} decline {この注文はキャンセル済み、またはキャンセル中です。} handle {この注文は対応済みです。} other {再確認を実行中です。}}",
  cancels:
    "{platform}で注文をキャンセルし、{refund, select, sum {{sum}を返金し} yes {返金し} other {返金せず}}、{restock, select, yes {在庫に戻します} other {在庫に戻しません}}{notify, select, yes {。お客様に通知します} other {}}。適用後は取り消せません。",
  "cancels-sandbox": "サンドボックスの注文をキャンセルします。お金は動かず、プラットフォームも変わりません。",
  "decides-again": "再び判定します。この注文は確認サービスに送信されないため、クレジットは使用しません。",
  handles: "発送済みの注文をキューから外します。レポートでは承認にも拒否にも数えられません。",
  "impossible-already-canceled": "実行できません：注文はすでにキャンセルされています。",
  "impossible-being-canceled": "実行できません：注文はプラットフォームでキャンセル中です。",
  "impossible-being-carried-out":
    "実行できません：{first, select, approve {注文はすでに承認されています} decline {注文はすでに拒否されています} handle {注文はすでに対応済みです} other {再確認はすでに依頼されています}}。現在実行中のため、少し待ってからお試しください。",
  "impossible-canceled-on-platform": "実行できません：注文はプラットフォームでキャンセルされました。",
  "impossible-content-erased": "実行できません：注文の内容は消去されました。",
  "impossible-content-unreadable": "実行できません：注文の内容を読み取れません。",
  "impossible-contested":
    "実行できません：{first, select, approve {注文はすでに承認されています} decline {注文はすでに拒否されています} handle {注文はすでに対応済みです} other {再確認はすでに依頼されています}}。別の判断をする前に、もう一度確認してください。",
  "impossible-not-shipped": "実行できません：注文は未発送です。承認または拒否してください。",
  "impossible-undecided": "実行できません：注文はまだ判定されていません。少し待ってからお試しください。",
  "impossible-undo-first":
    "実行できません：{first, select, approve {注文はすでに承認されています} decline {注文はすでに拒否されています} handle {注文はすでに対応済みです} other {再確認はすでに依頼されています}}。まだ取り消せるため、先に取り消してください。",
  rechecks: "1クレジットを使用して、再び判定します。",
  "rechecks-locally": "ローカルエンジンで再確認し、再び判定します。クレジットは使用しません。",
  "records-approval": "注文が正常だったことを記録します。すでに発送済みです。",
  "records-decline":
    "判断を記録しますが、発送済みのため、キャンセルも返金もしません。プラットフォームで返金してください。",
  "releases-both": "Holdfastの保留を解除し、{tags}を削除します。注文は発送できます。",
  "releases-hold": "Holdfastの保留を解除します。注文は発送できます。",
  "releases-nothing": "{platform}では何も変更しません。注文は発送できます。",
  "releases-tags": "{tags}を削除します。注文は発送できます。",
};
