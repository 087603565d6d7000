export const TEXTS = {
  "not-granted": "未与 Holdfast 共享：请在设置页面授予应用访问权限",
  "not-yet": "尚无：平台提供后 Holdfast 会再次读取",
  "personal-data": "未与 Holdfast 共享：应用无权访问个人数据",
  refused: "无法读取：平台的响应无法使用",
  throttled: "尚未读取：平台限制读取量。Holdfast 会再次读取",
  unavailable: "尚未读取：无法连接平台。Holdfast 会再次读取",
};
