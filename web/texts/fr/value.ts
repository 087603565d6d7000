export const TEXTS = {
  "chargeback-gauge":
    "{share} sur {limit} : la part à partir de laquelle les réseaux de cartes interviennent. À surveiller dès {watch}.",
  "chargeback-rate": "Taux de rétrofacturation",
  "chargebacks-of": "{count, number} sur {sold, plural, one {# commande vendue} other {# commandes vendues}}",
  cost: "{cost}, {saved, number} économisés",
  "cost-unknown":
    "{saved, number} économisés. Pour voir le coût des crédits, <link>saisissez leur prix</link>.",
  credits: "Crédits utilisés",
  "false-positives": "Bonnes commandes parmi les bloquées",
  "fraud-missed": "Fraude manquée",
  "fraud-stopped": "Fraude bloquée",
  "good-of-known": "{good, number} sur {known, number} commandes bloquées dont l’issue est connue",
  "good-stopped": "Bonnes commandes bloquées",
  "no-currency":
    "La devise de votre boutique n’est pas connue : les montants sont listés par devise. <link>Choisissez une devise</link>.",
  "not-known-yet": "Bloquées, issue inconnue",
  orders: "{count, plural, one {# commande} other {# commandes}}",
  rate: "1 {currency} = {value} au {day}",
  "rates-used": "Taux de change : {rates}.",
  "review-hint": "sur {count, plural, one {# commande} other {# commandes}} ; neuf sur dix en {p90}",
  "review-time": "Temps d’examen habituel",
  "too-few": "Trop peu pour conclure",
  "too-few-of": "{good, number} sur {known, number} issues connues ; il en faut {needed, number}",
  trends: "Par semaine",
  week: "Semaine du",
  "what-it-was-worth": "Ce que cela a rapporté",
  "without-rate": "plus {sum} sans <link>taux de change</link>",
};
