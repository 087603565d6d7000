export const TEXTS = {
  "being-carried-out": "{decision}该决定正在执行。请稍后重试。",
  "cant-reach-the-server-check-your": "无法连接服务器。请检查网络连接，然后重试。",
  contested: "{decision}请重新查看订单，再作出不同的决定。",
  "couldnt-get-a-session-from-the": "无法从平台获取会话。请重新加载页面。",
  decided:
    "{who}已于{time}{act, select, approve {批准此订单} decline {拒绝此订单} handle {将此订单标记为已处理} other {请求重新检查此订单}}。",
  "holdfast-is-unavailable-try-again-in": "Holdfast 暂不可用。请几分钟后重试。",
  "in-english": "{text}（英文）",
  "requires-role":
    "需要{role, select, viewer {查看者} reviewer {审核人} other {所有者}}角色。请向所有者申请访问权限。",
  "server-error": "服务器返回错误（{status}）。请重试。",
  "someone-else-changed-this-reload-to": "其他人已更改此内容。请重新加载以查看最新版本。",
  "something-went-wrong-on-this-page": "此页面出现问题。请重新加载。",
  "this-doesnt-exist-or-it-was": "此内容不存在或已被删除。请返回后重试。",
  "too-late": "已无法撤销：{decision}",
  "too-many-requests-wait-a-moment": "请求过多。请稍候再试。",
  "undo-first": "{decision}请先撤销该决定。",
  "your-role-doesnt-allow-this-ask": "您的角色无权执行此操作。请向所有者申请访问权限。",
  "your-session-has-ended-sign-in": "您的会话已结束。请重新登录。",
};
