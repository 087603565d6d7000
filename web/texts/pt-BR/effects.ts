export const TEXTS = {
  already:
    "{act, select, approve {Este pedido já está aprovado.} decline {Este pedido já está cancelado ou sendo cancelado.} handle {Este pedido já está marcado como resolvido.} other {Outra verificação está em andamento.}}",
  cancels:
    "Cancela o pedido em {platform}, {refund, select, sum {reembolsa {sum}} yes {reembolsa} other {não reembolsa}}, {restock, select, yes {repõe o estoque} other {não repõe o estoque}}{notify, select, yes { e notifica o cliente} other {}}. Não pode ser desfeito depois de entrar em vigor.",
  "cancels-sandbox": "Cancela o pedido de teste. Nenhum dinheiro se move e nada muda na plataforma.",
  "decides-again":
    "Decide novamente. Não usa créditos, pois este pedido não é enviado ao serviço de verificação.",
  handles:
    "Tira da fila o pedido, que já foi enviado. Os relatórios não o contam como aprovado nem recusado.",
  "impossible-already-canceled": "Não é possível: o pedido já está cancelado.",
  "impossible-being-canceled": "Não é possível: o pedido está sendo cancelado na plataforma.",
  "impossible-being-carried-out":
    "Não é possível: {first, select, approve {o pedido já foi aprovado} decline {o pedido já foi recusado} handle {o pedido já foi marcado como resolvido} other {outra verificação já foi solicitada}} e isso está sendo aplicado, tente em um momento.",
  "impossible-canceled-on-platform": "Não é possível: o pedido foi cancelado na plataforma.",
  "impossible-content-erased": "Não é possível: o conteúdo do pedido foi apagado.",
  "impossible-content-unreadable": "Não é possível: não é possível ler o conteúdo do pedido.",
  "impossible-contested":
    "Não é possível: {first, select, approve {o pedido já foi aprovado} decline {o pedido já foi recusado} handle {o pedido já foi marcado como resolvido} other {outra verificação já foi solicitada}}, olhe de novo antes de decidir outra coisa.",
  "impossible-not-shipped": "Não é possível: o pedido não foi enviado, aprove-o ou recuse-o.",
  "impossible-undecided": "Não é possível: o pedido ainda não foi decidido, tente em um momento.",
  "impossible-undo-first":
    "Não é possível: {first, select, approve {o pedido já foi aprovado} decline {o pedido já foi recusado} handle {o pedido já foi marcado como resolvido} other {outra verificação já foi solicitada}} e isso ainda pode ser desfeito, desfaça primeiro.",
  rechecks: "Usa 1 crédito e decide novamente.",
  "rechecks-locally": "Verifica novamente com o mecanismo local e decide de novo. Não usa créditos.",
  "records-approval": "Registra que o pedido é bom. Ele já foi enviado.",
  "records-decline":
    "Registra sua decisão e não cancela nem reembolsa nada: o pedido já foi enviado. Reembolse-o na plataforma.",
  "releases-both": "Libera a retenção do Holdfast e remove {tags}. O pedido pode ser enviado.",
  "releases-hold": "Libera a retenção do Holdfast. O pedido pode ser enviado.",
  "releases-nothing": "Não altera nada em {platform}. O pedido pode ser enviado.",
  "releases-tags": "Remove {tags}. O pedido pode ser enviado.",
};
