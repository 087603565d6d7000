export const TEXTS = {
  verification_key_refused:
    "Le service de vérification refuse la clé API. Les commandes sont suspendues. Vérifiez la clé et son organisation. Remplacez la clé propre à une boutique dans les paramètres de la console. Après avoir modifié VERIFY_API_KEY ou VERIFY_ORGANIZATION, redémarrez l’application.",
  verification_no_credits:
    "Le service de vérification n’a plus de crédits. Les décisions sont prises sans lui. Achetez des crédits. Nous réessayons avec une commande toutes les 3 minutes.",
  verification_unavailable:
    "Le service de vérification est injoignable ou échoue sans cesse. Les décisions sont prises sans lui. Vérifiez l’état du service, votre réseau, le DNS et le proxy. Nous réessayons automatiquement.",
  verification_misconfigured:
    "Le service de vérification ne peut pas être utilisé avec cette configuration : son organisation, son adresse ou son certificat est incorrect (voir le journal). Les commandes sont suspendues. Définissez VERIFY_ORGANIZATION, vérifiez VERIFY_URL, le proxy et les certificats, puis redémarrez l’application.",
  verification_request_refused:
    "Le service de vérification a refusé la demande concernant une commande, et l’appel a été facturé. C’est un bogue de Holdfast. Signalez-le sans les données de la commande.",
  ledger_unwritten:
    "Le résultat d’un appel au service de vérification n’a pas pu être enregistré. L’appel a peut-être été facturé. Vérifiez la base de données.",
  hold_expiring:
    "Une suspension arrive à échéance dans moins de 6 heures. Examinez la commande, puis levez la suspension ou annulez la commande dans la boutique.",
  hold_overdue:
    "L’échéance d’une suspension est dépassée et la commande est toujours suspendue. Examinez la commande, puis levez la suspension ou annulez la commande dans la boutique.",
  protection_lapsing:
    "Une commande suspendue perd la couverture de Shopify Protect dans moins de deux jours, sauf si elle est expédiée avec un suivi. Examinez la commande, puis levez la suspension et expédiez-la, ou annulez-la.",
  dispute_inquiry:
    "La banque d’un acheteur s’interroge sur le paiement d’une commande. Si elle n’a pas été expédiée, elle est suspendue. Examinez-la maintenant : un remboursement coûte souvent moins qu’une rétrofacturation. Pour rembourser, refusez la commande ou remboursez-la dans la boutique.",
  dispute_chargeback:
    "Une commande a fait l’objet d’une rétrofacturation : la banque a repris le paiement. Répondez au litige dans la boutique avant son échéance. Le rapport montre quelles fraudes sont passées.",
  disputes_high:
    "Les contestations de ce mois atteignent les trois quarts des limites d’un réseau de cartes, ou les atteindront si le mois continue ainsi. Demandez à votre prestataire de paiement vos signalements de fraude (TC40), qui comptent aussi. Mettez en attente davantage de commandes à risque, et répondez aux demandes par des remboursements.",
  dispute_evidence_due:
    "La banque n’accepte plus que pendant moins de 48 heures des preuves sur un paiement contesté, et aucune n’a été envoyée. Ouvrez la commande dans la console, récupérez ses preuves, et envoyez-les dans la boutique.",
  authorization_expiring:
    "Le paiement d’une commande suspendue n’est plus autorisé que pour moins de 24 heures. S’il n’est pas encore capturé, approuvez la commande et capturez le paiement, ou refusez la commande.",
  order_hidden_soon:
    "La plateforme masquera une commande suspendue à l’application dans moins de 2 jours, en raison de son ancienneté. Examinez la commande maintenant : ensuite, Holdfast ne pourra plus l’annuler. Pour Shopify, l’autorisation read_all_orders évite cela.",
  order_hidden:
    "La plateforme ne montre plus une commande à l’application, en raison de son ancienneté, et la commande a besoin d’une personne : elle est suspendue, ou une banque s’interroge sur son paiement. Consultez-la dans la boutique. C’est là que vous pouvez l’annuler ou la rembourser.",
  hold_not_placed:
    "Une commande devrait être suspendue, mais elle ne l’est pas, ou seulement en partie. Examinez la commande et ne l’expédiez pas. Si son problème est goods-hidden, accordez write_third_party_fulfillment_orders.",
  held_order_fulfilled:
    "Une commande a été expédiée alors que Holdfast la suspendait, ou quelqu’un a levé la suspension et l’a expédiée entre deux vérifications. Cherchez qui a levé la suspension. Arrêtez le colis si la commande ne devait pas partir.",
  hold_released_by_app:
    "Une autre application ou un workflow a levé une suspension, sans qu’une personne ait décidé. La commande reste dans la file d’examen. Trouvez l’application dans l’historique de la commande, et empêchez-la de lever les suspensions des autres. Cette alerte est envoyée une fois par jour.",
  cancel_limit_reached:
    "La limite horaire d’annulations de la politique est atteinte. Les commandes suivantes sont suspendues. Vérifiez si vous êtes attaqué ou si une règle correspond à trop de commandes. Annulez les commandes vous-même, ou augmentez cancel.maxPerHour.",
  enforcement_failed:
    "Une décision n’a pas pu être appliquée à une commande. Effectuez vous-même l’étape que nomme le problème.",
  platform_refused:
    "La plateforme refuse tous les appels de l’application : des commandes attendent. Vérifiez les autorisations de l’application, la liste d’adresses IP autorisées et le forfait de la boutique.",
  personal_data_not_granted:
    "Shopify ne partage pas les données personnelles avec l’application : c’est le moteur local qui vérifie les commandes. Demandez l’accès aux données client protégées, niveau 2.",
  burst_braked:
    "Trop de commandes viennent de la même source. Elles sont suspendues et n’utilisent pas de crédits. Cherchez des bots, bloquez-les dans votre boutique, et examinez les commandes suspendues.",
  one_ip_address:
    "Tous les clients d’une boutique ont une même adresse IP publique, sans doute celle d’un proxy ou d’un CDN. La vérification ne peut pas les distinguer ainsi, et leurs commandes risquent d’être suspendues comme un afflux. Transmettez l’adresse du client : définissez trust proxy, ou envoyez-la avec la commande.",
  order_failed:
    "Holdfast ne peut pas terminer une commande et ne réessaiera pas. Trouvez la commande dans la console, décidez dans la boutique, et cherchez le problème dans docs/reference/errors.md.",
  defect:
    "Une erreur inattendue s’est produite sur une commande. Signalez-la avec la trace d’appels du journal.",
  webhooks_missed:
    "Holdfast a trouvé des commandes dont le webhook n’est jamais arrivé, et les vérifie maintenant. Si cela arrive souvent, vérifiez les abonnements aux webhooks, l’adresse, et si des webhooks ont reçu la réponse 401 (le secret de l’application est incorrect) ou 503.",
  webhooks_unauthenticated:
    "Des webhooks sont refusés (401), car ils sont signés avec un autre secret : les commandes ne sont pas vérifiées. Donnez à SHOPIFY_API_SECRET le secret client de l’application, sans guillemets, puis redémarrez l’application. S’il est correct, les webhooks sont falsifiés et sans effet.",
  webhooks_refused:
    "Des webhooks signés sont arrivés avec des en-têtes modifiés et ont été ignorés. Quelqu’un a intercepté des livraisons et les renvoie. Trouvez la fuite (journaux de proxy, suivi d’erreurs) et renouvelez le secret client.",
  orders_not_kept:
    "Trop de commandes attendent, venant de boutiques qui n’ont pas installé l’application. Leurs nouvelles commandes sont abandonnées. Cherchez d’où elles viennent.",
  erasure_unconfirmed:
    "Les données d’une boutique doivent être effacées, mais Shopify n’a pas confirmé que l’application est désinstallée. Si elle est encore installée, ouvrez-la dans l’interface administrateur de la boutique. Sinon, les données sont effacées après 25 jours.",
  delivery_stuck:
    "Un webhook accepté ne peut pas être traité. Nous réessayons toutes les heures. Consultez l’erreur dans le journal.",
  shop_access_lost:
    "Shopify n’accepte plus l’accès de l’application à une boutique : ses commandes attendent. Ouvrez l’application dans l’interface administrateur de cette boutique.",
  store_unavailable:
    "Holdfast ne peut pas lire le travail à faire dans la base de données. Vérifiez la base de données, son disque et le réseau. Les webhooks qui ne peuvent pas être enregistrés reçoivent la réponse 503, et la plateforme les renvoie.",
  checkout_list_not_applied:
    "Le paiement d’une boutique ne traite pas les acheteurs bloqués comme le prévoit la politique : il les laisse peut-être commander, ou refuse encore quelqu’un qui n’est plus sur la liste. Les commandes sont vérifiées dans tous les cas. Si le problème est not-granted, accordez write_validations ou write_payment_customizations dans la configuration de l’application. Pour les autres, voir docs/block-at-checkout.md.",
  customer_data_request:
    "Un client a demandé ses données, et le rapport est prêt. Téléchargez-le sous /api/data-requests et envoyez-le au client dans le délai légal.",
  coverage_low:
    "Trop de commandes des dernières 24 heures n’ont pas été décidées en 5 minutes. Vérifiez la limite de requêtes du service de vérification, le retard, la base de données et les autres alertes.",
  levels_shifted:
    "Nettement plus (up) ou moins (down) de commandes que le même jour des quatre dernières semaines ont aujourd’hui le risque que nomme le problème. Ouvrez la vue d’ensemble dans la console et suivez son avis jusqu’aux commandes.",
  settings_unreadable:
    "Les paramètres d’une boutique ne peuvent pas être déchiffrés : sa clé de service et ses adresses d’alerte ne sont pas utilisées. Définissez la DATA_KEY qui les a chiffrés, ou saisissez de nouveau les paramètres dans la console.",
  retention_failed:
    "Des données personnelles dont la durée de conservation est dépassée ne sont pas supprimées depuis un jour. Consultez l’erreur dans le journal, et vérifiez la base de données.",
  card_amount_not_released:
    "Un petit montant qui affiche un code sur un relevé de carte n’est pas libéré depuis environ dix heures. Vérifiez la clé de la plateforme de paiement et son état, ou annulez-y le paiement : dans Stripe, ses métadonnées indiquent holdfast: card-code. Il n’est jamais débité et expire de lui-même en quelques jours.",
  notifier_failed:
    "Une alerte n’a pas pu être envoyée et n’apparaît que dans le journal. Vérifiez ALERT_WEBHOOK_URL ou SMTP_URL et le serveur correspondant.",
};
