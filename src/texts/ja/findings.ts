export const TEXTS = {
  access: "Shopifyはアプリのアクセストークンを受け付けています。",
  "access-invalid": "Shopifyがアプリのリクエストを読み取れません。",
  "access-invalid.advice":
    "このマシンとmyshopify.comの間でリクエストが変更されていないか確認してから、報告してください。",
  "access-refused": "Shopifyがアプリのリクエストを拒否しています。",
  "access-refused.advice":
    "クライアントIDとシークレット、Dev Dashboardの許可するIPアドレスのリスト、ショップのプランを確認してください。",
  "access-throttled": "Shopifyがアプリのリクエストを制限しています。",
  "access-throttled.advice": "ショップの負荷が下がってから、もう一度確認してください。",
  "access-unauthorized": "Shopifyがアプリのアクセストークンを受け付けていません。",
  "access-unauthorized.advice": "ショップの管理画面でアプリを一度開いてください。",
  "access-unavailable": "Shopifyに接続できません。",
  "access-unavailable.advice":
    "このマシンからmyshopify.comに接続できるか確認し、Shopifyのステータスページを確認してください。",
  "access-unreadable": "ショップのアクセストークンを復号できません。",
  "access-unreadable.advice": "ショップのアクセストークンの暗号化に使ったキーをDATA_KEYに設定してください。",
  "api-version": "ShopifyはAPIバージョン{version}に対応しています。",
  "api-version-unsupported": "ShopifyはAPIバージョン{version}に対応していません。",
  "api-version-unsupported.advice": "対応しているAPIバージョンを使うバージョンにHoldfastを更新してください。",
  checkout: "アプリはチェックアウトでブロックした購入者を拒否できます。",
  "checkout-list":
    "チェックアウトにはブロックリストの{count}件があります（{limit}バイト中{bytes}バイト、{time}から）。",
  "checkout-list-empty":
    "チェックアウトにブロックリストはありません。照合できる項目がないか、非表示にする支払い方法がありません。",
  "checkout-list-not-deployed":
    "チェックアウトに最新のブロックリストがありません。アプリの関数がデプロイされていません。",
  "checkout-list-not-deployed.advice":
    "拡張機能とともに`shopify app deploy`を実行し、バージョンをリリースしてください。",
  "checkout-list-not-granted": "チェックアウトに最新のブロックリストがありません。アプリに権限がありません。",
  "checkout-list-not-granted.advice":
    "ここで権限を許可してください。表示されない場合は、先に`shopify app deploy`を実行してください。",
  "checkout-list-pending": "チェックアウトに最新のブロックリストがまだありません。",
  "checkout-list-pending.advice": "2分後にもう一度確認してください。変わらない場合はログを確認してください。",
  "checkout-list-plan":
    "チェックアウトに最新のブロックリストがありません。カスタムアプリではShopify Plusが必要です。",
  "checkout-list-plan.advice":
    "ポリシーで「チェックアウトでのブロック対象の購入者」を「注文を許可」にしてください。",
  "checkout-list-too-many":
    "チェックアウトに最新のブロックリストがありません。有効なチェックアウトルールの数がShopifyの上限に達しています。",
  "checkout-list-too-many.advice": "Shopifyでチェックアウトルールを1つ無効にしてください。",
  "checkout-list-turned-off": "Shopifyでチェックアウトのブロックリストが無効にされました。",
  "checkout-list-turned-off.advice":
    "Shopifyの設定で再び有効にするか、ポリシーで「チェックアウトでのブロック対象の購入者」を「注文を許可」にしてください。",
  "checkout-list-watching": "ポリシーが監視のみの間、チェックアウトにブロックリストはありません。",
  "checkout-off":
    "任意：{scope}を許可すると、ポリシーに応じて、ブロックリストの購入者をチェックアウトで拒否できます。",
  "checkout-payments": "アプリはブロックした購入者に支払い方法を非表示にできます。",
  "checkout-payments-off":
    "任意：{scope}を許可すると、ポリシーに応じて、ブロックリストの購入者に別の支払い方法を求められます。",
  disputes: "ショップの異議申し立てが届いています。",
  "disputes-off":
    "任意：{scope}を許可すると、見逃した不正をレポートで確認でき、銀行から照会のあった注文の発送が止まります。",
  "disputes-unsubscribed": "許可されていますが、{missing}が登録されていません。",
  "disputes-unsubscribed.advice": "権限を取り消し、アプリの設定でもう一度許可してください。",
  "no-access": "アクセスできないため確認できません。",
  "older-orders": "Shopifyは古い注文もすべて表示しています。",
  "older-orders-hidden":
    "任意：{scope}がない場合、Shopifyは60日目以降の注文を表示しません。保留は59日目までに終了し、それより古い注文はキャンセルできず、銀行から照会があっても発送を止められないことがあります。",
  "older-orders-unrequested":
    "任意：{scope}がない場合、Shopifyは60日目以降の注文を表示しません。保留は59日目までに終了し、それより古い注文はキャンセルできず、銀行から照会があっても発送を止められないことがあります。",
  "older-orders-unrequested.advice":
    "Partner Dashboardですべての注文へのアクセスをリクエストしてください。Shopifyの承認後、shopify.app.tomlのoptional_scopesに{scope}を追加し、`shopify app deploy`を実行します。",
  "personal-data": "確認した{orders}件の注文すべてで、Shopifyは顧客データを表示しています。",
  "personal-data-hidden": "Shopifyが名前、住所、またはメールアドレスをアプリに表示していません。",
  "personal-data-hidden.advice":
    "Partner Dashboardで、保護された顧客データ（レベル2）へのアクセスをリクエストしてください。",
  "personal-data-no-orders": "確認できる最近の注文がありません。",
  "personal-data-unread": "注文を読み取れませんでした（{code}）。",
  "personal-data-unread.advice": "権限が許可されているか確認してから、もう一度確認してください。",
  "platform-silent": "プラットフォームから応答がありませんでした。",
  "platform-silent.advice": "1分後にもう一度確認してください。",
  scopes: "必要な権限はすべて許可されています。",
  "scopes-missing": "許可されていない権限：{missing}。",
  "scopes-missing-goods":
    "許可されていない権限：{missing}。フルフィルメントサービスにある商品は表示されず、注文が保留中でも発送されます。",
  "scopes-missing-goods.advice":
    "`shopify app deploy`を実行し、ショップでアプリを開いて権限を許可してください。",
  "scopes-missing.advice": "`shopify app deploy`を実行し、ショップでアプリを開いて権限を許可してください。",
  "step-mode": "ポリシーのバージョン{version}を使用中です。",
  "step-mode-none":
    "ポリシーはまだ保存されていません。選択するまで、注文にはタグが付けられて保留され、キャンセルはされません。",
  "step-order": "Holdfastが注文を判定しています。",
  "step-order-none": "まだ注文がありません。サンドボックスの注文を送信して、動作を確認してください。",
  "step-order-sandbox": "Holdfastがサンドボックスの注文を判定しました。",
  "step-platform": "接続済みです。",
  "step-platform-none": "プラットフォームへの接続は不要です。",
  "step-platform-uninstalled": "アプリがアンインストールされています。もう一度インストールしてください。",
  "step-service-none":
    "サービスキーが設定されていません。設定するまでは、ローカルエンジンがすべての注文を確認します。保留はできますが、キャンセルはしません。",
  "step-service-own": "注文は独自のキーで確認されています。",
  "step-service-plan":
    "プランを選ぶか、独自のキーを追加してください。それまでは、ローカルエンジンがすべての注文を確認します。保留はできますが、キャンセルはしません。",
  "step-service-shared": "注文はこの環境のキーで確認されています。",
};
