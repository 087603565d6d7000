export const TEXTS = {
  already:
    "{act, select, approve {此订单已批准。} decline {此订单已取消或正在取消。} handle {此订单已标记为已处理。} other {正在重新检查。}}",
  cancels:
    "在 {platform} 中取消订单，{refund, select, sum {退款 {sum}} yes {退款} other {不退款}}，{restock, select, yes {重新入库} other {不重新入库}}{notify, select, yes {，并通知客户} other {}}。生效后无法撤销。",
  "cancels-sandbox": "取消沙盒订单。不涉及资金，平台上也不会有更改。",
  "decides-again": "重新判定。不使用额度，因为此订单不会发送至验证服务。",
  handles: "将已发货的订单移出队列。报告不计为批准或拒绝。",
  "impossible-already-canceled": "无法执行：订单已取消。",
  "impossible-being-canceled": "无法执行：订单正在平台上取消。",
  "impossible-being-carried-out":
    "无法执行：{first, select, approve {订单已被批准} decline {订单已被拒绝} handle {订单已被标记为已处理} other {已请求重新检查}}，正在执行，请稍后再试。",
  "impossible-canceled-on-platform": "无法执行：订单已在平台上取消。",
  "impossible-content-erased": "无法执行：订单内容已清除。",
  "impossible-content-unreadable": "无法执行：无法读取订单内容。",
  "impossible-contested":
    "无法执行：{first, select, approve {订单已被批准} decline {订单已被拒绝} handle {订单已被标记为已处理} other {已请求重新检查}}，改变决定前请再次查看。",
  "impossible-not-shipped": "无法执行：订单尚未发货，请批准或拒绝。",
  "impossible-undecided": "无法执行：订单尚未判定，请稍后再试。",
  "impossible-undo-first":
    "无法执行：{first, select, approve {订单已被批准} decline {订单已被拒绝} handle {订单已被标记为已处理} other {已请求重新检查}}，仍可撤销，请先撤销。",
  rechecks: "使用 1 个额度并重新判定。",
  "rechecks-locally": "使用本地引擎重新检查并重新判定。不使用额度。",
  "records-approval": "记录订单正常。订单已发货。",
  "records-decline": "记录您的决定，但不取消也不退款：订单已发货。请在平台上退款。",
  "releases-both": "解除 Holdfast 的暂缓并移除 {tags}。订单可以发货。",
  "releases-hold": "解除 Holdfast 的暂缓。订单可以发货。",
  "releases-nothing": "不更改 {platform} 中的任何内容。订单可以发货。",
  "releases-tags": "移除 {tags}。订单可以发货。",
};
