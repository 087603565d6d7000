export const TEXTS = {
  access: "A Shopify aceita o token de acesso do app.",
  "access-invalid": "A Shopify não consegue ler as solicitações do app.",
  "access-invalid.advice":
    "Verifique se nada altera as solicitações entre esta máquina e myshopify.com e depois informe o problema.",
  "access-refused": "A Shopify recusa as solicitações do app.",
  "access-refused.advice":
    "Verifique o ID e o segredo do cliente, a lista de IPs permitidos no Dev Dashboard e o plano da loja.",
  "access-throttled": "A Shopify limita as solicitações do app.",
  "access-throttled.advice": "Verifique novamente quando a loja estiver menos movimentada.",
  "access-unauthorized": "A Shopify não aceita o token de acesso do app.",
  "access-unauthorized.advice": "Abra o app uma vez no admin da loja.",
  "access-unavailable": "A Shopify está inacessível.",
  "access-unavailable.advice":
    "Verifique se esta máquina acessa myshopify.com e veja a página de status da Shopify.",
  "access-unreadable": "Não é possível descriptografar o token de acesso da loja.",
  "access-unreadable.advice": "Defina DATA_KEY com a chave que criptografou o token de acesso da loja.",
  "api-version": "A Shopify oferece suporte à versão {version} da API.",
  "api-version-unsupported": "A Shopify não oferece suporte à versão {version} da API.",
  "api-version-unsupported.advice":
    "Atualize o Holdfast para uma versão que use uma versão da API com suporte.",
  checkout: "O app pode recusar compradores bloqueados no checkout.",
  "checkout-list":
    "Lista de bloqueio no checkout: entradas {count}, tamanho {bytes} de {limit} bytes, atualizada {time}.",
  "checkout-list-empty":
    "O checkout não tem lista de bloqueio: ele não pode comparar nenhuma entrada ou nenhuma forma de pagamento deve ser ocultada.",
  "checkout-list-not-deployed":
    "O checkout não tem a lista de bloqueio atual: a função do app não foi implantada.",
  "checkout-list-not-deployed.advice": "Execute `shopify app deploy` com as extensões e publique a versão.",
  "checkout-list-not-granted": "O checkout não tem a lista de bloqueio atual: falta a permissão ao app.",
  "checkout-list-not-granted.advice":
    "Conceda a permissão aqui. Se ela não for oferecida, execute antes `shopify app deploy`.",
  "checkout-list-pending": "O checkout ainda não tem a lista de bloqueio atual.",
  "checkout-list-pending.advice": "Verifique novamente em dois minutos. Se nada mudou, leia o log.",
  "checkout-list-plan":
    "O checkout não tem a lista de bloqueio atual: um app personalizado só pode fazer isso no Shopify Plus.",
  "checkout-list-plan.advice":
    "Na política, mude “Compradores bloqueados no checkout” para “Deixar comprar”.",
  "checkout-list-too-many":
    "O checkout não tem a lista de bloqueio atual: a loja tem tantas regras de checkout ativas quanto a Shopify permite.",
  "checkout-list-too-many.advice": "Desative uma regra de checkout na Shopify.",
  "checkout-list-turned-off": "Alguém desativou na Shopify a lista de bloqueio no checkout.",
  "checkout-list-turned-off.advice":
    "Ative-a novamente nas configurações da Shopify ou mude “Compradores bloqueados no checkout” para “Deixar comprar” na política.",
  "checkout-list-watching": "O checkout não tem lista de bloqueio enquanto a política apenas observa.",
  "checkout-off":
    "Opcional: com {scope}, o checkout pode recusar compradores da lista de bloqueio, se a política disser isso.",
  "checkout-payments": "O app pode ocultar formas de pagamento de compradores bloqueados.",
  "checkout-payments-off":
    "Opcional: com {scope}, o checkout pode pedir outro pagamento a compradores da lista de bloqueio, se a política disser isso.",
  disputes: "As contestações da loja chegam.",
  "disputes-off":
    "Opcional: com {scope}, o relatório mostra quais fraudes passaram, e um pedido que um banco consulta deixa de ser enviado.",
  "disputes-unsubscribed": "Concedido, mas sem inscrição em {missing}.",
  "disputes-unsubscribed.advice": "Revogue a permissão e conceda-a novamente na configuração do app.",
  "no-access": "Não pode ser verificado sem acesso.",
  "older-orders": "A Shopify mostra pedidos de qualquer idade.",
  "older-orders-hidden":
    "Opcional: sem {scope}, a Shopify oculta pedidos a partir do 60º dia. As retenções acabam até o 59º dia, um pedido mais antigo não pode ser cancelado, e a consulta de um banco pode não detê-lo.",
  "older-orders-unrequested":
    "Opcional: sem {scope}, a Shopify oculta pedidos a partir do 60º dia. As retenções acabam até o 59º dia, um pedido mais antigo não pode ser cancelado, e a consulta de um banco pode não detê-lo.",
  "older-orders-unrequested.advice":
    "Solicite acesso a todos os pedidos no Partner Dashboard. Quando a Shopify aprovar, adicione {scope} a optional_scopes em shopify.app.toml e execute `shopify app deploy`.",
  "personal-data": "A Shopify mostra os dados de clientes de todos os {orders} pedidos verificados.",
  "personal-data-hidden": "A Shopify oculta do app nomes, endereços ou endereços de e-mail.",
  "personal-data-hidden.advice":
    "Solicite acesso aos dados protegidos de clientes, nível 2, no Partner Dashboard.",
  "personal-data-no-orders": "A loja não tem pedidos recentes para verificar.",
  "personal-data-unread": "Não foi possível ler os pedidos ({code}).",
  "personal-data-unread.advice": "Verifique se as permissões foram concedidas e depois verifique novamente.",
  "platform-silent": "A plataforma não respondeu.",
  "platform-silent.advice": "Verifique novamente em um minuto.",
  scopes: "Todas as permissões necessárias foram concedidas.",
  "scopes-missing": "Não concedido: {missing}.",
  "scopes-missing-goods":
    "Não concedido: {missing}. Os itens em um serviço de fulfillment ficam ocultos e são enviados mesmo com o pedido retido.",
  "scopes-missing-goods.advice":
    "Execute `shopify app deploy`, depois abra o app na loja e conceda as permissões.",
  "scopes-missing.advice": "Execute `shopify app deploy`, depois abra o app na loja e conceda as permissões.",
  "step-mode": "A versão {version} da sua política está em uso.",
  "step-mode-none":
    "Nenhuma política foi salva ainda. Até você escolher, os pedidos recebem tags e são retidos, nunca cancelados.",
  "step-order": "O Holdfast está decidindo pedidos.",
  "step-order-none": "Ainda não há pedidos. Envie um pedido de teste para ver como funciona.",
  "step-order-sandbox": "O Holdfast decidiu um pedido de teste.",
  "step-platform": "Conectado.",
  "step-platform-none": "Não é preciso conectar uma plataforma.",
  "step-platform-uninstalled": "O app está desinstalado. Instale-o novamente.",
  "step-service-none":
    "Nenhuma chave de serviço está definida. Até lá, o mecanismo local verifica todos os pedidos; ele pode reter, mas nunca cancela.",
  "step-service-own": "Os pedidos são verificados com a sua própria chave.",
  "step-service-plan":
    "Escolha um plano ou adicione sua própria chave. Até lá, o mecanismo local verifica todos os pedidos; ele pode reter, mas nunca cancela.",
  "step-service-shared": "Os pedidos são verificados com a chave desta instalação.",
};
