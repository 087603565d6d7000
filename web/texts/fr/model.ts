export const TEXTS = {
  amount: "Supérieure à {percent} % de vos commandes, jusqu’au palier suivant",
  "beside-first":
    "Ce modèle ne peut pas encore être enregistré. Enregistrez le brouillon comme fantôme et activez-le après 7 jours.",
  caption: "Ce que le modèle ajoute aux points standard",
  compared:
    "Sur {fraud, number} commandes frauduleuses et {good, number} bonnes commandes ultérieures, le modèle classe une fraude au-dessus d’une bonne commande dans {model, number} % des cas, les points standard dans {base, number} %. Dans 95 échantillons sur 100, la différence va de {low} à {high}.",
  feature: "Signal",
  hour: "Commandée dans les trois heures à partir de {from} h",
  lead: "Le modèle apprend de vos commandes ce qui indique une fraude dans votre boutique. Il déplace une commande d’un niveau de risque au plus et n’en annule aucune. Il ne compte que pour les commandes que décide le moteur local.",
  none: "Aucun modèle dans cette politique.",
  "not-offered":
    "Il n’est pas encore meilleur que les points standard avec certitude : il n’est donc pas proposé.",
  off: "Désactiver le modèle",
  own: "Dans cette politique : un modèle qui modifie {count, plural, one {# signal} other {# signaux}}.",
  points: "Points",
  suggestion: "Modèle d’après vos commandes",
  title: "Moteur local : votre propre modèle",
  "too-few":
    "Trop peu d’issues sont encore connues. Un modèle nécessite {neededFrauds, number} commandes frauduleuses et {neededGoods, number} bonnes commandes évaluées par le moteur local au cours des {days, number} derniers jours. Pour l’instant, il y en a {frauds, number} et {goods, number}.",
  use: "Utiliser ce modèle",
};
