export const TEXTS = {
  access: "Shopify accepte le jeton d’accès de l’application.",
  "access-invalid": "Shopify ne peut pas lire les requêtes de l’application.",
  "access-invalid.advice":
    "Vérifiez que rien ne modifie les requêtes entre cette machine et myshopify.com, puis signalez-le.",
  "access-refused": "Shopify refuse les requêtes de l’application.",
  "access-refused.advice":
    "Vérifiez l’identifiant et le secret client, la liste d’adresses IP autorisées dans le Dev Dashboard et le forfait de la boutique.",
  "access-throttled": "Shopify limite les requêtes de l’application.",
  "access-throttled.advice": "Revérifiez quand la boutique est moins sollicitée.",
  "access-unauthorized": "Shopify n’accepte pas le jeton d’accès de l’application.",
  "access-unauthorized.advice":
    "Ouvrez l’application une fois dans l’interface administrateur de la boutique.",
  "access-unavailable": "Shopify est injoignable.",
  "access-unavailable.advice":
    "Vérifiez que cette machine peut joindre myshopify.com, et consultez la page d’état de Shopify.",
  "access-unreadable": "Le jeton d’accès de la boutique ne peut pas être déchiffré.",
  "access-unreadable.advice": "Donnez à DATA_KEY la clé qui a chiffré le jeton d’accès de la boutique.",
  "api-version": "Shopify prend en charge la version {version} de l’API.",
  "api-version-unsupported": "Shopify ne prend pas en charge la version {version} de l’API.",
  "api-version-unsupported.advice":
    "Mettez Holdfast à jour vers une version qui utilise une version prise en charge de l’API.",
  checkout: "L’application peut refuser les acheteurs bloqués au paiement.",
  "checkout-list":
    "Liste de blocage au paiement : entrées {count}, taille {bytes} octets sur {limit}, mise à jour {time}.",
  "checkout-list-empty":
    "La page de paiement n’a pas de liste de blocage : aucune entrée ne peut y être comparée, ou aucun moyen de paiement n’est à masquer.",
  "checkout-list-not-deployed":
    "La page de paiement n’a pas la liste de blocage actuelle : la fonction de l’application n’est pas déployée.",
  "checkout-list-not-deployed.advice":
    "Exécutez `shopify app deploy` avec les extensions, puis publiez la version.",
  "checkout-list-not-granted":
    "La page de paiement n’a pas la liste de blocage actuelle : il manque l’autorisation à l’application.",
  "checkout-list-not-granted.advice":
    "Accordez l’autorisation ici. Si elle n’est pas proposée, exécutez d’abord `shopify app deploy`.",
  "checkout-list-pending": "La page de paiement n’a pas encore la liste de blocage actuelle.",
  "checkout-list-pending.advice": "Revérifiez dans deux minutes. Si rien n’a changé, lisez le journal.",
  "checkout-list-plan":
    "La page de paiement n’a pas la liste de blocage actuelle : une application personnalisée ne peut le faire qu’avec Shopify Plus.",
  "checkout-list-plan.advice":
    "Dans la politique, réglez « Acheteurs bloqués au paiement » sur « Les laisser commander ».",
  "checkout-list-too-many":
    "La page de paiement n’a pas la liste de blocage actuelle : la boutique a autant de règles de paiement actives que Shopify l’autorise.",
  "checkout-list-too-many.advice": "Désactivez une règle de paiement dans Shopify.",
  "checkout-list-turned-off": "Quelqu’un a désactivé la liste de blocage au paiement dans Shopify.",
  "checkout-list-turned-off.advice":
    "Réactivez-la dans les paramètres de Shopify, ou réglez « Acheteurs bloqués au paiement » sur « Les laisser commander » dans la politique.",
  "checkout-list-watching":
    "La page de paiement n’a pas de liste de blocage tant que la politique ne fait qu’observer.",
  "checkout-off":
    "Facultatif : avec {scope}, le paiement peut refuser les acheteurs de la liste de blocage, si la politique le prévoit.",
  "checkout-payments": "L’application peut masquer des moyens de paiement aux acheteurs bloqués.",
  "checkout-payments-off":
    "Facultatif : avec {scope}, le paiement peut demander un autre moyen de paiement aux acheteurs de la liste de blocage, si la politique le prévoit.",
  disputes: "Les litiges de la boutique arrivent.",
  "disputes-off":
    "Facultatif : avec {scope}, le rapport montre quelles fraudes sont passées, et une commande sur laquelle une banque s’interroge n’est plus expédiée.",
  "disputes-unsubscribed": "Accordé, mais sans abonnement à : {missing}.",
  "disputes-unsubscribed.advice":
    "Révoquez l’autorisation et accordez-la de nouveau dans la configuration de l’application.",
  "no-access": "Ne peut pas être vérifié sans accès.",
  "older-orders": "Shopify montre les commandes de tout âge.",
  "older-orders-hidden":
    "Facultatif : sans {scope}, Shopify masque les commandes à partir du 60e jour. Les suspensions se terminent au plus tard le 59e jour, une commande plus ancienne ne peut pas être annulée, et la demande d’une banque peut ne pas l’arrêter.",
  "older-orders-unrequested":
    "Facultatif : sans {scope}, Shopify masque les commandes à partir du 60e jour. Les suspensions se terminent au plus tard le 59e jour, une commande plus ancienne ne peut pas être annulée, et la demande d’une banque peut ne pas l’arrêter.",
  "older-orders-unrequested.advice":
    "Demandez l’accès à toutes les commandes dans le Partner Dashboard. Une fois l’accord de Shopify obtenu, ajoutez {scope} à optional_scopes dans shopify.app.toml et exécutez `shopify app deploy`.",
  "personal-data": "Shopify montre les données client des {orders} commandes vérifiées.",
  "personal-data-hidden": "Shopify masque à l’application des noms, des adresses ou des adresses e-mail.",
  "personal-data-hidden.advice":
    "Demandez l’accès aux données client protégées, niveau 2, dans le Partner Dashboard.",
  "personal-data-no-orders": "La boutique n’a pas de commande récente à vérifier.",
  "personal-data-unread": "Impossible de lire les commandes ({code}).",
  "personal-data-unread.advice": "Vérifiez que les autorisations sont accordées, puis revérifiez.",
  "platform-silent": "La plateforme n’a pas répondu.",
  "platform-silent.advice": "Revérifiez dans une minute.",
  scopes: "Toutes les autorisations nécessaires sont accordées.",
  "scopes-missing": "Non accordé : {missing}.",
  "scopes-missing-goods":
    "Non accordé : {missing}. Les articles confiés à un service d’exécution sont masqués, et partent même si la commande est suspendue.",
  "scopes-missing-goods.advice":
    "Exécutez `shopify app deploy`, puis ouvrez l’application dans la boutique et accordez les autorisations.",
  "scopes-missing.advice":
    "Exécutez `shopify app deploy`, puis ouvrez l’application dans la boutique et accordez les autorisations.",
  "step-mode": "La version {version} de votre politique est en vigueur.",
  "step-mode-none":
    "Aucune politique n’est encore enregistrée. Tant que vous n’avez pas choisi, les commandes sont balisées et suspendues, jamais annulées.",
  "step-order": "Holdfast décide des commandes.",
  "step-order-none":
    "Aucune commande pour l’instant. Envoyez une commande de test pour voir comment cela fonctionne.",
  "step-order-sandbox": "Holdfast a décidé d’une commande de test.",
  "step-platform": "Connecté.",
  "step-platform-none": "Aucune connexion à une plateforme n’est nécessaire.",
  "step-platform-uninstalled": "L’application est désinstallée. Réinstallez-la.",
  "step-service-none":
    "Aucune clé de service n’est définie. D’ici là, le moteur local vérifie chaque commande ; il peut suspendre, mais n’annule jamais.",
  "step-service-own": "Les commandes sont vérifiées avec votre propre clé.",
  "step-service-plan":
    "Choisissez un forfait, ou ajoutez votre propre clé. D’ici là, le moteur local vérifie chaque commande ; il peut suspendre, mais n’annule jamais.",
  "step-service-shared": "Les commandes sont vérifiées avec la clé de cette installation.",
};
