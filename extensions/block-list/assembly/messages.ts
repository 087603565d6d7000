// What a buyer reads. It doesn't accuse, and doesn't say what was recognized.

const ENGLISH = "We couldn't complete this order online. Please contact us, and we'll help you.";

/** The message in the language of the checkout, by Shopify's code for it. */
export function toMessage(language: string): string {
  // Chinese and Portuguese have codes with a region: ZH_CN, PT_BR.
  const code = language.substring(0, 2);
  if (code == "DE")
    return "Diese Bestellung konnte online nicht abgeschlossen werden. Bitte kontaktieren Sie uns, wir helfen Ihnen weiter.";
  if (code == "FR")
    return "Cette commande n'a pas pu être finalisée en ligne. Contactez-nous, nous vous aiderons.";
  if (code == "ES")
    return "No se ha podido completar este pedido en línea. Ponte en contacto con nosotros y te ayudaremos.";
  if (code == "PT")
    return "Não foi possível concluir este pedido on-line. Entre em contato conosco para receber ajuda.";
  if (code == "JA")
    return "このご注文はオンラインで完了できませんでした。お手数ですが、ショップまでお問い合わせください。";
  if (code == "ZH" && language != "ZH_TW") return "无法在线完成此订单。请联系我们，我们会为您提供帮助。";
  return ENGLISH;
}
