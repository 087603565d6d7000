export const TEXTS = {
  "alert-opened": "Alerte : {about}",
  "alert-over": "Le problème est résolu. Vous n’avez rien d’autre à faire.",
  "alert-reminder": "Toujours en cours : {about}",
  "alert-resolved": "Terminé : {about}",
  "alert-unknown": "Cette version n’a pas de texte pour cette alerte. Consultez la ligne du journal.",
  amount: "Montant : {amount}",
  "assigned-many": "{count, number} notes et attributions sont pour vous",
  "assigned-one": "{known, select, yes {La commande {name}} other {Une commande}} vous est attribuée",
  "attention-many": "{count, number} commandes demandent votre attention",
  "attention-one": "{known, select, yes {La commande {name}} other {Une commande}} demande votre attention",
  code: "Votre code est {code}",
  "code-enter": "Saisissez-le dans Holdfast, sous « Paramètres », « Vos notifications ».",
  "code-ignore":
    "Si vous n’utilisez pas Holdfast, ignorez cet e-mail : vous ne recevrez aucune notification.",
  "code-subject": "Votre code",
  "deadline-many": "{count, number} commandes arrivent bientôt à échéance",
  "deadline-one": "{known, select, yes {La commande {name}} other {Une commande}} arrive bientôt à échéance",
  "detail-code": "code {code}",
  "detail-found": "trouvés : {found, number}",
  "detail-more":
    "{count, plural, one {# de plus depuis le dernier message} other {# de plus depuis le dernier message}}",
  "detail-order": "commande {orders}",
  "detail-problem": "problème {problem}",
  "held-blocked": "Elle correspond à une liste d’acheteurs bloqués.",
  "held-burst": "De nombreuses commandes sont venues du même endroit.",
  "held-degraded": "Le service de vérification n’était pas disponible : la décision a été prise sans lui.",
  "held-held-to-check": "Elle est suspendue jusqu’à sa vérification.",
  "held-hold-kept": "Elle a changé, et sa suspension antérieure est maintenue.",
  "held-hold-released": "Une personne avait levé une suspension antérieure.",
  "held-level":
    "Son niveau de risque est {level, select, low {faible} medium {moyen} high {élevé} critical {critique} other {{level}}}.",
  "held-local-never-cancels": "Elle n’est pas annulée sans le service de vérification.",
  "held-many": "{count, number} commandes sont suspendues pour examen",
  "held-no-policy-saved": "Elle n’est pas annulée tant que vous n’avez pas enregistré de politique.",
  "held-one": "{known, select, yes {La commande {name}} other {Une commande}} est suspendue pour examen",
  "held-opted-out": "Le client a refusé les décisions automatiques.",
  "held-policy-changed": "La politique a changé pendant qu’elle attendait d’être annulée.",
  "held-rule": "Une règle de votre politique la suspend.",
  "held-skipped": "Elle n’a pas pu être envoyée au service de vérification.",
  "held-too-little-known": "On en sait trop peu à son sujet.",
  "held-unavailable": "Elle n’a pas pu être vérifiée.",
  "held-unchecked": "Le service de vérification ne l’a pas vérifiée.",
  "inquiry-many": "Des banques contestent les paiements de {count, number} commandes",
  "inquiry-one":
    "Une banque conteste le paiement {known, select, yes {de la commande {name}} other {d’une commande}}",
  "mentioned-one":
    "Vous êtes mentionné(e) dans une note sur {known, select, yes {la commande {name}} other {une commande}}",
  "reason-authorization_expiring": "Son paiement n’est plus autorisé que pour moins de 24 heures.",
  "reason-dispute_chargeback":
    "La banque a repris le paiement. Répondez au litige dans la boutique avant son échéance.",
  "reason-dispute_evidence_due":
    "La banque n’accepte plus de preuves que pendant moins de 48 heures. Envoyez-les avant dans la boutique.",
  "reason-dispute_inquiry":
    "Un remboursement coûte maintenant souvent moins qu’une rétrofacturation. Refusez la commande, ou remboursez-la dans la boutique.",
  "reason-enforcement_failed": "Une étape de la décision a échoué. Effectuez-la vous-même dans la boutique.",
  "reason-held_order_fulfilled": "Elle a été expédiée alors que Holdfast la suspendait.",
  "reason-hold_expiring": "La suspension arrive à échéance dans moins de 6 heures.",
  "reason-hold_not_placed":
    "Elle devrait être suspendue, mais elle ne l’est pas, ou seulement en partie. Ne l’expédiez pas.",
  "reason-hold_overdue": "L’échéance de la suspension est dépassée.",
  "reason-order_failed":
    "Holdfast ne peut pas continuer à la traiter. Décidez dans la console ou dans la boutique.",
  "reason-order_hidden": "La plateforme ne la montre plus à Holdfast. Consultez-la dans la boutique.",
  "reason-order_hidden_soon":
    "La plateforme la masquera à Holdfast dans moins de 2 jours, en raison de son ancienneté.",
  "reason-protection_lapsing":
    "Shopify Protect cesse de la couvrir dans moins de deux jours, sauf si elle est expédiée avec un suivi.",
  "reason-verification_key_refused": "Il refuse la clé API. Les commandes sont suspendues.",
  "reason-verification_misconfigured":
    "Il ne peut pas être utilisé avec cette configuration. Les commandes sont suspendues.",
  "reason-verification_no_credits": "Il ne reste plus de crédits. Les décisions sont prises sans lui.",
  "reason-verification_unavailable":
    "Il est injoignable ou échoue sans cesse. Les décisions sont prises sans lui.",
  "service-many": "Le service de vérification a plusieurs problèmes",
  "service-one": "Le service de vérification a un problème",
  shop: "Boutique : {shop}",
  test: "Ceci est un test. Vos notifications arrivent ici.",
  "test-subject": "Test",
};
