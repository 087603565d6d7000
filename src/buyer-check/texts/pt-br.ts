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
  "thanks-without-file":
    "A loja {shop} recebeu sua resposta, mas não conseguiu guardar o arquivo. Você pode fechar esta página.",
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
  // card-code
  "code-title": "Encontre o código na fatura do cartão",
  "code-text":
    "Um pequeno valor está reservado no cartão que pagou este pedido. Ele não é cobrado e será liberado depois. Procure-o no aplicativo do seu banco ou na fatura do cartão: o texto termina com um código de 6 letras. Pode levar um ou dois dias para aparecer.",
  "code-label": "Código de 6 letras",
  "code-send": "Enviar o código",
  "code-missing": "Digite o código.",
  "code-wrong": "Este não é o código. Copie as 6 últimas letras do texto na sua fatura.",
  // evidence
  "evidence-title": "Conte à loja sobre o seu pedido",
  "evidence-text":
    "Escreva uma nota curta. Se ajudar, adicione uma foto ou um arquivo, como uma nota fiscal anterior. Uma pessoa da loja vai ler. Não envie imagens de um cartão de pagamento, de um documento de identidade ou de um passaporte.",
  "evidence-note": "Sua nota",
  "evidence-file": "Foto ou arquivo (opcional): JPEG, PNG, WebP, HEIC ou PDF, até 8 MB",
  "evidence-send": "Enviar para a loja",
  "say-something": "Escreva uma nota ou adicione um arquivo.",
  "note-too-long":
    "A nota é longa demais. Reduza para 2.000 caracteres. Se você adicionou um arquivo, escolha-o de novo.",
  "file-too-large":
    "O arquivo é grande demais. Sua nota continua aqui: escolha um arquivo de até 8 MB ou envie só a nota.",
  "file-type":
    "Esse tipo de arquivo não pode ser enviado. Sua nota continua aqui: escolha um arquivo JPEG, PNG, WebP, HEIC ou PDF, ou envie só a nota.",
  "upload-slow": "O envio demorou demais. Sua nota continua aqui: escolha o arquivo de novo, ou um menor.",
  "upload-busy":
    "A loja está recebendo outros arquivos agora. Sua nota continua aqui: escolha o arquivo de novo e envie em um minuto.",
  "no-room": "A loja não pode receber arquivos agora. Sua nota continua aqui: envie sem arquivo.",
  "not-now":
    "Não foi possível salvar sua resposta. Tente de novo em um minuto. Se você adicionou um arquivo, escolha-o de novo.",
};
