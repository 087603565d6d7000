export const TEXTS = {
  choice: "{channel} : {event}",
  code: "Code reçu par e-mail",
  "code-sent": "Code envoyé.",
  email: "E-mail",
  "email-address": "Votre adresse e-mail",
  event: "Événement",
  "event-assigned": "Quelqu’un vous attribue une commande ou vous mentionne",
  "event-attention": "Une commande demande votre attention : une étape a échoué ou un délai est dépassé",
  "event-deadline": "Une suspension arrive bientôt à son échéance",
  "event-held": "Une commande est suspendue pour examen",
  "event-inquiry": "Une banque s’interroge sur un paiement",
  "event-service": "Le service de vérification a un problème",
  language: "Langue de vos notifications",
  "last-failed": "Le dernier message n’a pas pu être envoyé ({code}, {time}).",
  lead: "Choisissez ce que vous voulez savoir sur cette boutique, et par quel moyen. Vous ne recevez rien tant que vous ne l’activez pas, et personne d’autre ne voit vos choix. Les notifications ne nomment jamais l’acheteur.",
  "no-mail-server":
    "Cette installation n’a pas de serveur de messagerie : vous ne pouvez pas recevoir de notifications par e-mail.",
  notices: "Vos notifications",
  page: "Navigateur",
  "page-allow": "Autoriser les notifications",
  "page-default":
    "Votre navigateur peut afficher des notifications tant que la console est ouverte. Il vous demande l’autorisation une seule fois.",
  "page-denied":
    "Votre navigateur bloque les notifications de ce site. Autorisez-les dans les réglages du navigateur pour ce site, puis rechargez cette page.",
  "page-embedded":
    "Les navigateurs n’autorisent pas les notifications à l’intérieur de la page d’un autre site. Utilisez ici les autres moyens.",
  "page-granted":
    "Ce navigateur affiche vos notifications tant que la console est ouverte, même en arrière-plan.",
  "page-unsupported": "Ce navigateur ne peut pas afficher les notifications d’une page.",
  save: "Enregistrer les notifications",
  "save-first": "Enregistrez d’abord vos modifications.",
  saved: "Notifications enregistrées.",
  "send-code": "Envoyer le code par e-mail",
  "test-address-refused": "Le serveur de messagerie a refusé cette adresse. Vérifiez-la.",
  "test-arrived": "Vos notifications arrivent ici.",
  "test-email": "Envoyer un e-mail de test",
  "test-not-public": "Rien n’a été envoyé : cette adresse n’est pas sur l’internet public.",
  "test-page": "Afficher une notification de test",
  "test-refused": "Le destinataire a refusé le test avec le statut {status}. Vérifiez l’adresse.",
  "test-sent": "Test envoyé.",
  "test-timed-out": "Pas de réponse à temps. Réessayez ou vérifiez l’adresse.",
  "test-unreachable": "Le test n’a pas pu être envoyé : le serveur est injoignable ou a refusé la connexion.",
  "test-webhook": "Envoyer un test au webhook",
  "title-assigned":
    "{count, plural, one {Pour vous : commande {name}} other {# attributions et notes pour vous}}",
  "title-attention":
    "{count, plural, one {Demande votre attention : commande {name}} other {# commandes demandent votre attention}}",
  "title-deadline":
    "{count, plural, one {Échéance proche : commande {name}} other {# suspensions arrivent à échéance}}",
  "title-held":
    "{count, plural, one {Suspendue pour examen : commande {name}} other {# commandes sont suspendues pour examen}}",
  "title-inquiry":
    "{count, plural, one {Paiement contesté : commande {name}} other {# paiements sont contestés}}",
  "title-mentioned":
    "{count, plural, one {Vous êtes mentionné(e) : commande {name}} other {# notes vous mentionnent}}",
  "title-service":
    "{count, plural, one {Problème du service de vérification : {name}} other {# problèmes du service de vérification : {name}}}",
  "title-test": "Test de Holdfast",
  unconfirmed:
    "Confirmez cette adresse : faites-y envoyer un code, saisissez-le ici, puis enregistrez. D’ici là, aucune notification n’y est envoyée.",
  webhook: "Webhook",
  "webhook-hint":
    "Par exemple, un webhook entrant de Slack. Holdfast y envoie chaque notification en JSON, avec un texte.",
  "webhook-remove": "Supprimer le webhook",
  "webhook-saved": "Enregistrée : {address}. Laissez ce champ vide pour la conserver.",
  "webhook-url": "URL du webhook",
};
