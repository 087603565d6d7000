import type { BuyerTexts } from "./en.ts";

export const TEXTS: BuyerTexts = {
  title: "Este pedido é seu?",
  intro: "A loja {shop} recebeu este pedido e espera sua resposta antes de enviá-lo.",
  order: "Pedido {name}",
  items: "Itens",
  "more-items": "E mais {count}",
  "nothing-secret": "Nunca pedimos senha nem número de cartão aqui.",
  "gone-title": "Este link não funciona mais",
  gone: "Um link funciona uma vez e só por algum tempo. Se você tem uma dúvida sobre um pedido, fale com a loja.",
  "thanks-title": "Obrigado",
  thanks: "A loja {shop} recebeu sua resposta. Você pode fechar esta página.",
  "too-many-title": "Tentativas demais",
  "too-many": "Espere um pouco e abra o link de novo.",
  "try-again": "Não funcionou. Confira sua resposta e tente de novo.",
  "choose-one": "Escolha uma das respostas.",
  "mail-subject": "{shop}: o pedido {name} é seu?",
  "mail-intro": "A loja {shop} recebeu o pedido {name} e espera sua resposta antes de enviá-lo.",
  "mail-open": "Abra esta página para confirmar o pedido ou para dizer que ele não é seu:",
  "mail-once": "O link funciona uma vez, até {until} (UTC). Não o encaminhe.",
  "mail-not-you":
    "Se você não pediu nada, abra a página e diga isso. O pedido fica então retido até que uma pessoa da loja o analise.",
  // earlier-address
  "earlier-title": "Você fez este pedido?",
  "earlier-text": "Perguntamos aqui porque um pedido anterior seu usou este endereço.",
  "earlier-yes": "Sim, fiz este pedido",
  "earlier-no": "Não, este pedido não é meu",
};
