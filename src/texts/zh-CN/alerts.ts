export const TEXTS = {
  verification_key_refused:
    "验证服务拒绝 API 密钥。订单会被暂缓。请检查密钥及其组织。店铺自己的密钥可在控制台设置中更换。更改 VERIFY_API_KEY 或 VERIFY_ORGANIZATION 后，请重启应用。",
  verification_no_credits:
    "验证服务的额度已用完。订单在没有该服务的情况下判定。请购买额度。我们每 3 分钟用一个订单重试。",
  verification_unavailable:
    "无法连接验证服务，或服务持续出错。订单在没有该服务的情况下判定。请检查服务状态、网络、DNS 和代理。我们会自动重试。",
  verification_misconfigured:
    "当前设置下无法使用验证服务：组织、地址或证书有误（请查看日志）。订单会被暂缓。请设置 VERIFY_ORGANIZATION，检查 VERIFY_URL、代理和证书，然后重启应用。",
  verification_request_refused:
    "验证服务拒绝了某个订单的请求，且该调用已计费。这是 Holdfast 的缺陷。请报告此问题，但不要附上订单数据。",
  ledger_unwritten: "无法保存验证服务的调用结果。该调用可能已计费。请检查数据库。",
  hold_expiring: "某个暂缓将在 6 小时内到期。请审核订单，然后在店铺中解除暂缓或取消订单。",
  hold_overdue: "某个暂缓已逾期，订单仍处于暂缓状态。请审核订单，然后在店铺中解除暂缓或取消订单。",
  protection_lapsing:
    "除非使用带追踪的方式发货，否则某个暂缓的订单将在两天内失去 Shopify Protect 的保障。请审核订单，然后解除暂缓并发货，或取消订单。",
  dispute_inquiry:
    "买家的银行查询某个订单的付款。如果尚未发货，订单已暂缓。请立即审核：退款通常比撤单的损失更小。要退款，请拒绝订单，或在店铺中退款。",
  dispute_chargeback:
    "某个订单发生撤单：银行已收回付款。请在截止日期前在店铺中回应争议。报告会显示哪些欺诈未被发现。",
  disputes_high:
    "本月的争议已达到卡组织限额的四分之三，或照此趋势将会达到。欺诈报告 (TC40) 也会计入，请向您的支付服务商索取。请暂停更多高风险订单，并以退款回应查询。",
  dispute_evidence_due:
    "银行接受有争议付款的证据的时间剩余不足 48 小时，但尚未发送任何证据。请在控制台中打开订单，获取其证据，并在店铺中提交。",
  authorization_expiring:
    "某个暂缓订单的付款授权剩余时间不足 24 小时。如果尚未收款，请批准订单并收款，或拒绝订单。",
  order_hidden_soon:
    "由于订单时间较久，平台将在 2 天内不再向应用显示某个暂缓的订单。请立即审核：之后 Holdfast 将无法取消该订单。对于 Shopify，权限 read_all_orders 可避免此情况。",
  order_hidden:
    "由于订单时间较久，平台不再向应用显示某个订单，而该订单需要人工处理：它处于暂缓状态，或银行正在查询其付款。请在店铺中查看。如需取消或退款，请在店铺中操作。",
  hold_not_placed:
    "某个订单本应暂缓，但全部或部分未暂缓。请审核订单，且不要发货。如果其问题为 goods-hidden，请授予 write_third_party_fulfillment_orders。",
  held_order_fulfilled:
    "某个订单在 Holdfast 暂缓期间已发货，或有人在两次检查之间解除暂缓并发货。请查明是谁解除了暂缓。如果订单不应发货，请拦截包裹。",
  hold_released_by_app:
    "另一个应用或工作流在没有人工决定的情况下解除了暂缓。订单仍在审核队列中。请在订单历史中找到该应用，并阻止其解除其他来源的暂缓。此提醒每天发送一次。",
  cancel_limit_reached:
    "已达到策略的每小时取消上限。后续订单将改为暂缓。请检查是否受到攻击，或是否有规则匹配了过多订单。请自行取消订单，或提高 cancel.maxPerHour。",
  enforcement_failed: "判定未能应用到某个订单。请手动执行问题中指明的步骤。",
  platform_refused: "平台拒绝应用的所有调用，因此订单正在等待。请检查应用的权限、IP 允许列表和店铺的套餐。",
  personal_data_not_granted:
    "Shopify 未与应用共享个人数据，因此由本地引擎检查订单。请申请访问受保护的客户数据（2 级）。",
  burst_braked:
    "同一来源的订单过多。这些订单会被暂缓，且不使用额度。请检查是否有机器人，在店铺中屏蔽它们，并审核暂缓的订单。",
  one_ip_address:
    "某个店铺的所有客户使用同一个公共 IP 地址，很可能是代理或 CDN 的地址。检查无法据此区分客户，其订单可能会被当作突增而暂缓。请传递客户自己的地址：设置 trust proxy，或随订单发送。",
  order_failed:
    "Holdfast 无法完成某个订单的处理，且不会重试。请在控制台中找到该订单，在店铺中决定，并在 docs/reference/errors.md 中查询问题。",
  defect: "某个订单发生意外错误。请附上日志中的堆栈跟踪进行报告。",
  webhooks_missed:
    "Holdfast 发现有订单的 Webhook 从未到达，现在正在检查这些订单。如果经常发生，请检查 Webhook 订阅和地址，以及是否有 Webhook 被答复 401（应用密钥有误）或 503。",
  webhooks_unauthenticated:
    "Webhook 因使用其他密钥签名而被拒绝（401），因此订单未被检查。请将 SHOPIFY_API_SECRET 设置为应用的客户端密钥（不带引号），然后重启应用。如果密钥正确，则这些 Webhook 是伪造的，不会产生影响。",
  webhooks_refused:
    "收到的已签名 Webhook 的标头被篡改，已忽略。有人截获了推送并重新发送。请查明泄露之处（代理日志、错误跟踪工具），并轮换客户端密钥。",
  orders_not_kept: "来自未安装应用的店铺的待处理订单过多。这些店铺的新订单会被丢弃。请查明其来源。",
  erasure_unconfirmed:
    "某个店铺的数据即将清除，但 Shopify 未确认应用已卸载。如果应用仍已安装，请在店铺后台中打开应用。否则，数据将在 25 天后清除。",
  delivery_stuck: "某个已接受的 Webhook 无法处理。我们每小时重试一次。请查看日志中的错误。",
  shop_access_lost: "Shopify 不再接受应用对某个店铺的访问，因此其订单正在等待。请在该店铺的后台中打开应用。",
  store_unavailable:
    "Holdfast 无法从数据库读取待处理工作。请检查数据库、磁盘和网络。无法保存的 Webhook 会被答复 503，平台会重新发送。",
  checkout_list_not_applied:
    "某个店铺的结账页面未按策略处理已屏蔽的买家：可能允许他们下单，或仍拒绝已移出名单的人。无论如何，订单都会被检查。如果问题为 not-granted，请在应用设置中授予 write_validations 或 write_payment_customizations。其他情况请参阅 docs/block-at-checkout.md。",
  customer_data_request:
    "有客户请求获取其数据，报告已准备好。请在 /api/data-requests 下载，并在法定期限内发送给客户。",
  coverage_low:
    "过去 24 小时内有过多订单未能在 5 分钟内判定。请检查验证服务的速率限制、积压情况、数据库以及其他提醒。",
  levels_shifted:
    "与过去四周的同一工作日相比，今天具有问题中所述风险的订单明显增多（up）或减少（down）。请在控制台中打开概览，并通过其中的提示查看订单。",
  settings_unreadable:
    "无法解密某个店铺的设置，因此未使用其服务密钥和提醒地址。请设置加密时使用的 DATA_KEY，或在控制台中重新输入设置。",
  retention_failed: "超过保留期限的个人数据已有一天未删除。请查看日志中的错误，并检查数据库。",
  card_amount_not_released:
    "用于在卡账单上显示代码的小额款项约十小时未释放。请检查支付平台的密钥和状态，或在该平台取消这笔付款：在 Stripe 中，其元数据为 holdfast: card-code。该款项不会扣款，几天后自动失效。",
  notifier_failed: "某个提醒未能发送，仅记录在日志中。请检查 ALERT_WEBHOOK_URL 或 SMTP_URL 及其服务器。",
};
