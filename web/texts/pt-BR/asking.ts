export const TEXTS = {
  advice:
    "O comprador confirmou este pedido ({method, select, earlier_address {endereço anterior} card_code {fatura do cartão} other {comprovante}})",
  "advice-milder": "Considere-o um nível de risco menor",
  "advice-wrong": "O comprador disse que o pedido não é dele ou não conseguiu confirmá-lo",
  "any-word": "Toda resposta",
  answer: "Resposta",
  answered:
    "{answer, select, right {Confirmou o pedido} wrong {Não é dele ou não conseguiu confirmar} other {Enviou algo para análise}} ({method, select, earlier_address {endereço anterior} card_code {código da fatura} other {comprovante}})",
  "buyer-answered": "O comprador respondeu",
  "buyer-asked": "Comprador consultado",
  "buyer-confirmed": "Confirmado pelo comprador, uma pessoa decide",
  "confirmed-reason": "O comprador confirmou o pedido",
  copied: "Link copiado. Envie-o somente para {address}",
  "copy-link": "Copiar o link do comprador",
  "from-buyer": "O comprador",
  "keep-addresses":
    "Manter os endereços de pedidos sem problemas pelo mesmo tempo que os pedidos, para perguntar aos compradores depois. Informe isso na sua política de privacidade",
  figure:
    "{figure, select, asked {Compradores consultados} answered {Respondidos} right {Confirmados} released {Liberados} other {Com chargeback depois}}",
  language: "Idioma se o do comprador não for conhecido",
  level: "Perguntar ao comprador neste nível de risco: {level}",
  method:
    "{method, select, earlier_address {Endereço anterior} card_code {Código da fatura} other {Comprovante}}",
  "nobody-asked": "Ninguém foi consultado: nenhum meio era possível",
  "not-offered": "Não oferecido",
  "not-sent": "Não foi possível enviar ({problem}). Copie o link",
  "of-order": "{address}, usado no pedido {order}",
  "open-file":
    "{kind, select, heic {Salvar o arquivo} pdf {Salvar o arquivo} other {Mostrar a imagem}} ({kind}, {size, number} kB)",
  option:
    "{verify, select, none {Não perguntar ao comprador} release {Perguntar e liberar após uma resposta certa} other {Perguntar e deixar uma pessoa decidir}}",
  picture: "Imagem que o comprador enviou",
  retry: "Próxima tentativa",
  sent: "Enviado",
  "sent-to": "Link vai para",
  "shop-name": "Nome da loja para compradores",
  state:
    "{state, select, open {Esperando a resposta do comprador} answered {O comprador respondeu} closed {O link não funciona mais} other {Ninguém foi consultado}}",
  status: "Status",
  "the-buyer": "O comprador",
  "the-platforms-address": "Seu endereço na plataforma",
  title: "Perguntar ao comprador",
  until: "Link válido até",
  ways: "Formas de responder",
  "why-not":
    "{method, select, earlier_address {Endereço anterior} card_code {Código da fatura} other {Comprovante}}: {reason, select, not_chosen {sua política não inclui} no_earlier_order {nenhum pedido anterior deste cliente conta} no_earlier_address {nenhum endereço de pedido anterior foi guardado} platform_cannot {a plataforma não permite} not_a_card {não foi pago com cartão} no_payment {nenhum pagamento utilizável} not_configured {não configurado} already_used {já usado} several_cards {vários cartões foram tentados} card_not_saved {o cartão não está salvo} storage_full {sem espaço para mais arquivos} other {não é possível agora}}",
  with: "{what}. Pergunta ao comprador: {verify, select, release {uma resposta certa libera} other {uma pessoa decide}}",
  word: "{word, select, asked {Comprador consultado} right {Confirmado pelo comprador} wrong {O comprador diz que não é dele} other {O comprador enviou algo}}",
  "word-label": "Resposta do comprador",
};
