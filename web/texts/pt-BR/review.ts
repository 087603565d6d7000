export const TEXTS = {
  approve: "Aprovar",
  blocked: "{count, plural, one {# dado do comprador bloqueado.} other {# dados do comprador bloqueados.}}",
  "check-again": "Verificar novamente",
  "customer-asked-to-cancel": "O cliente pediu o cancelamento",
  "customer-didnt-confirm-the-order": "O cliente não confirmou o pedido",
  decline: "Recusar",
  "done-many": "{parts}.",
  "done-one":
    "{name} {kind, select, approve {aprovado} decline {recusado} late {recusado, mas não cancelado: já foi enviado} recheck {enviado para outra verificação} other {marcado como resolvido}}.",
  "done-part":
    "{count, plural, one {# pedido} other {# pedidos}} {kind, select, approve {aprovados} decline {recusados} late {recusados, mas não cancelados: já foram enviados} recheck {enviados para outra verificação} other {marcados como resolvidos}}",
  "false-name-address-or-phone": "Nome, endereço ou telefone falso",
  "mark-as-handled": "Marcar como resolvido",
  "not-blocked": "{name} foi recusado, mas nada foi bloqueado. {why}",
  other: "Outro",
  "reseller-promotion-or-return-abuse": "Abuso de revenda, promoção ou devolução",
  "still-blocked": "A recusa de {name} foi desfeita, mas o comprador continua bloqueado. {why}",
  "stolen-card-or-account": "Cartão ou conta roubada",
  "suspected-fraud": "Suspeita de fraude",
};
