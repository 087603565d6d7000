export const TEXTS = {
  "already-checked": "déjà vérifiées",
  backlog: "Commandes non décidées : {count, number}. La plus ancienne est arrivée il y a {age}.",
  "bursts-limited": "rafales limitées",
  "calls-stay-paused-until-this-is": "Les appels restent suspendus tant que ce n’est pas corrigé.",
  "calls-to-the-verification-service-are": "Les appels au service de vérification sont suspendus.",
  cap: "Crédits {of, select, day {du jour} other {du mois}} : {spent, number} sur {cap, number}",
  "checking-whether-the-verification-service-is": "Vérification du retour du service de vérification.",
  credits: "Crédits",
  "decided-on-time": "Décidées à temps",
  "due-within-6-hours": "Échéance dans 6 heures",
  "duplicate-deliveries": "livraisons en double",
  "fewer-high-and-critical-orders-than":
    "Moins de commandes élevées et critiques que le même jour des quatre dernières semaines :",
  "fewer-medium-orders-than-on-the":
    "Moins de commandes moyennes que le même jour des quatre dernières semaines :",
  "finish-setup":
    "Terminez la configuration : {count, plural, one {# étape restante} other {# étapes restantes}}. <link>Continuer la configuration</link>",
  "held-for-review": "Suspendues pour examen",
  "held-without-the-service": "Suspendues sans le service",
  "in-days": "{count, plural, one {# commande} other {# commandes}} en {days, number} jours",
  "in-hours": "{part} en {hours, number} h",
  left: "Il en reste {left, number} ce mois-ci. À ce rythme, ils suffisent jusqu’à la fin du mois.",
  "left-today": "Il en reste {left, number} ce mois-ci. À ce rythme, ils sont épuisés aujourd’hui.",
  "left-until": "Il en reste {left, number} ce mois-ci. À ce rythme, ils sont épuisés le {date}.",
  "more-high-and-critical-orders-than":
    "Plus de commandes élevées et critiques que le même jour des quatre dernières semaines :",
  "more-medium-orders-than-on-the":
    "Plus de commandes moyennes que le même jour des quatre dernières semaines :",
  "needs-attention": "À traiter",
  "next-attempt":
    "Prochaine tentative : {time}. Les commandes qui ne peuvent pas attendre suivent la politique prévue quand le service est indisponible.",
  "no-limit": "aucune limite",
  "no-monthly-limit": "Aucune limite mensuelle.",
  "no-verification-service-is-set-up":
    "Aucun service de vérification n’est configuré. Le moteur local vérifie les commandes et n’annule jamais.",
  "not-held-yet": "Pas encore suspendues",
  of: "sur {cap, number}",
  "orders-by-decision": "Commandes par décision",
  "orders-by-risk-level": "Commandes par niveau de risque",
  "orders-per-day-by-decision": "Commandes par jour et par décision",
  "orders-per-day-by-risk-level": "Commandes par jour et par niveau de risque",
  overdue: "En retard",
  overview: "Vue d’ensemble",
  "per-day": "Commandes par jour ({zone})",
  "saved-part": "{count, number} {reason}",
  "saved-this-month": "Économisés ce mois-ci",
  shift:
    "{shift} {orders, number} sur {count, plural, one {# commande} other {# commandes}} avec un niveau de risque aujourd’hui. <link>Afficher ces commandes</link>",
  "skipped-by-a-rule": "ignorées par une règle",
  "slowest-1-in-100": "1 sur 100 la plus lente",
  "speed-and-coverage": "Rapidité et couverture",
  "the-daily-limit-is-0-so": "La limite quotidienne est 0 : les commandes sont décidées sans le service.",
  "the-verification-service-is-available": "Le service de vérification est disponible.",
  "typical-time-to-decide": "Temps de décision habituel",
  "used-this-month": "Utilisés ce mois-ci",
  "used-today": "Utilisés aujourd’hui",
  "watch-only":
    "Observation seule : Holdfast enregistre ses décisions sans modifier les commandes. <link>Voir ce qui se serait passé</link>",
  "without-the-service": "Sans le service",
  "youve-reached-the-monthly-limit-orders":
    "Vous avez atteint la limite mensuelle. Les commandes sont désormais décidées sans le service.",
  "youve-reached-todays-limit-until-midnight":
    "Vous avez atteint la limite du jour. Jusqu’à minuit UTC, les commandes sont décidées sans le service.",
};
