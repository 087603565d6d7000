export const TEXTS = {
  "being-carried-out": "{decision} Isso está sendo executado. Tente novamente em instantes.",
  "cant-reach-the-server-check-your":
    "Não foi possível acessar o servidor. Verifique sua conexão e tente novamente.",
  contested: "{decision} Veja o pedido de novo antes de decidir outra coisa.",
  "couldnt-get-a-session-from-the": "Não foi possível obter uma sessão da plataforma. Recarregue a página.",
  decided:
    "{who} {act, select, approve {aprovou este pedido} decline {recusou este pedido} handle {marcou este pedido como resolvido} other {solicitou outra verificação deste pedido}} em {time}.",
  "holdfast-is-unavailable-try-again-in":
    "O Holdfast não está disponível. Tente novamente em alguns minutos.",
  "in-english": "{text} (em inglês)",
  "requires-role":
    "Requer a função de {role, select, viewer {observador} reviewer {revisor} other {proprietário}}. Peça acesso a um proprietário.",
  "server-error": "O servidor retornou um erro ({status}). Tente novamente.",
  "someone-else-changed-this-reload-to":
    "Outra pessoa alterou isto. Recarregue para ver a versão mais recente.",
  "something-went-wrong-on-this-page": "Algo deu errado nesta página. Recarregue-a.",
  "this-doesnt-exist-or-it-was": "Isto não existe ou foi excluído. Volte e tente novamente.",
  "too-late": "É tarde demais para desfazer: {decision}",
  "too-many-requests-wait-a-moment": "Muitas solicitações. Aguarde um momento e tente novamente.",
  "undo-first": "{decision} Desfaça isso primeiro.",
  "your-role-doesnt-allow-this-ask": "Sua função não permite isso. Peça acesso a um proprietário.",
  "your-session-has-ended-sign-in": "Sua sessão terminou. Faça login novamente.",
};
