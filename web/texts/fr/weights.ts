export const TEXTS = {
  "a-weight-isnt-valid-use-the": "Un poids n’est pas valide. Utilisez les poids suggérés ou standard.",
  "back-to-the-standard-weights": "Revenir aux poids standard",
  basis:
    "D’après {frauds, plural, one {# commande frauduleuse} other {# commandes frauduleuses}} et {goods, plural, one {# bonne commande} other {# bonnes commandes}} évaluées par le moteur local au cours des {days, number} derniers jours.",
  "in-this-policy-the-standard-weights": "Dans cette politique : les poids standard.",
  "local-engine-your-own-weights": "Moteur local : vos propres poids",
  "not-seen": "Non rencontré",
  now: "Actuel",
  own: "Dans cette politique : vos propres poids pour {count, plural, one {# signal} other {# signaux}}.",
  "points-of-signals-in-this-policy": "Points des signaux, dans cette politique et suggérés",
  seen: "Sur {fraud, number} de {frauds, number} commandes frauduleuses et {good, number} de {goods, number} bonnes commandes",
  signal: "Signal",
  standard: "standard {points}",
  suggested: "Suggéré",
  "suggestion-from-your-orders": "Suggestion d’après vos commandes",
  "the-local-engine-gives-each-signal":
    "Le moteur local donne des points à chaque signal : au-dessus de zéro pour la fraude, en dessous contre. Ils sont les mêmes dans toutes les boutiques. Quand l’issue de suffisamment de vos commandes est connue, il suggère des points adaptés à votre boutique et change chacun de moitié au plus. Ils s’appliquent dès que vous les enregistrez, et seulement aux commandes que décide le moteur local.",
  "the-policy-already-has-these-weights": "La politique a déjà ces poids.",
  "too-few":
    "Trop peu d’issues sont encore connues. Une suggestion nécessite {neededFrauds, number} commandes frauduleuses et {neededGoods, number} bonnes commandes évaluées par le moteur local au cours des {days, number} derniers jours. Pour l’instant, il y en a {frauds, number} et {goods, number}.",
  "use-the-suggested-weights": "Utiliser les poids suggérés",
  "you-already-use-the-standard-weights": "Vous utilisez déjà les poids standard.",
  "your-orders-agree-with-the-standard": "Vos commandes confirment les poids standard.",
};
