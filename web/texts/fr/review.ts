export const TEXTS = {
  approve: "Approuver",
  blocked:
    "{count, plural, one {# information de l’acheteur bloquée.} other {# informations de l’acheteur bloquées.}}",
  "check-again": "Revérifier",
  "customer-asked-to-cancel": "Le client a demandé l’annulation",
  "customer-didnt-confirm-the-order": "Le client n’a pas confirmé la commande",
  decline: "Refuser",
  "done-many": "{parts}.",
  "done-one":
    "{name} {kind, select, approve {approuvée} decline {refusée} late {refusée, mais non annulée : déjà expédiée} recheck {envoyée pour une nouvelle vérification} other {marquée comme traitée}}.",
  "done-part":
    "{count, plural, one {# commande} other {# commandes}} {kind, select, approve {approuvées} decline {refusées} late {refusées, mais non annulées : déjà expédiées} recheck {envoyées pour une nouvelle vérification} other {marquées comme traitées}}",
  "false-name-address-or-phone": "Faux nom, fausse adresse ou faux téléphone",
  "mark-as-handled": "Marquer comme traitée",
  "not-blocked": "{name} a été refusée, mais rien n’a été bloqué. {why}",
  other: "Autre",
  "reseller-promotion-or-return-abuse": "Abus de revente, de promotion ou de retour",
  "still-blocked": "Le refus de {name} a été annulé, mais l’acheteur est toujours bloqué. {why}",
  "stolen-card-or-account": "Carte ou compte volé",
  "suspected-fraud": "Suspicion de fraude",
};
