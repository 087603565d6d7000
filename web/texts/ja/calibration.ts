export const TEXTS = {
  all: "合計",
  basis:
    "過去{days, number}日間に判定した{count, plural, other {#件}}の注文のうち{known, number}件に基づきます。{refunded, plural, =0 {残りの結果はまだ分かっていません} other {残りは返金済み、またはまだ分かっていません}}。不正：不正によるチャージバック、不正としての拒否、プラットフォームでの不正によるキャンセル。正常：人が承認した注文、または{undisputedDays, number}日前に通過して異議申し立てのない注文。返金済み：全額返金された注文で、不正にも正常にも数えず、重みも変えません。監視のみのモードでは、保留またはキャンセルされたはずの注文を検出または停止として数えます。",
  caught:
    "不正と分かった注文{count, plural, other {#件}}のうち、Holdfastは{caught, number}件を検出しました。",
  few: "不正と分かった注文はまだ{count, plural, other {#件}}のみのため、割合は今後大きく変わる可能性があります。",
  "fraud-caught": "検出した不正",
  "fraud-caught-and-good-orders-stopped": "検出した不正と停止した正常な注文",
  "good-orders-stopped": "停止した正常な注文",
  level: "レベル",
  "no-order-is-known-to-be": "正常と分かった注文はまだありません。",
  "no-order-turned-out-to-be": "不正と分かった注文はありません。",
  "no-outcomes-are-known-yet": "結果はまだ分かっていません。",
  "no-payment-dispute-has-arrived-if":
    "支払いの異議申し立ては届いていません。ストアが異議申し立てを共有していない場合、通過した不正は数えられず、チャージバックされた注文は正常として数えられます。",
  "no-risk-level": "リスクレベルなし",
  "orders-whose-outcome-is-known-by": "結果が分かっている注文（リスクレベル別）",
  refunded: "返金済み",
  stopped:
    "正常と分かった注文{count, plural, other {#件}}のうち、Holdfastは{stopped, number}件を停止しました。",
  "too-few": "件数不足",
  "too-few-good":
    "正常な注文がどのくらい停止されるかを判断するには件数が足りません（{needed, number}件必要）。担当者が確認した注文の多くは保留中のものです。通過した注文は、異議申し立てなく{days, number}日が過ぎてから数えます。",
};
