export const TEXTS = {
  all: "Total",
  basis:
    "D’après {known, number} sur {count, plural, one {# commande décidée} other {# commandes décidées}} au cours des {days, number} derniers jours : {refunded, plural, =0 {l’issue des autres n’est pas encore connue} other {les autres sont remboursées ou pas encore connues}}. Fraude : rétrofacturée pour fraude, refusée pour fraude ou annulée pour fraude sur la plateforme. Bonne : approuvée par une personne, ou passée il y a {undisputedDays, number} jours et non contestée. Remboursée : remboursée en totalité. Cela ne compte ni comme fraude ni comme bonne et ne change aucun poids. En mode observation, ce qui aurait été suspendu ou annulé compte comme détecté ou bloqué.",
  caught:
    "Sur {count, plural, one {# commande dont la fraude est avérée} other {# commandes dont la fraude est avérée}}, Holdfast en a détecté {caught, number}.",
  few: "Seulement {count, plural, one {# commande s’est révélée frauduleuse} other {# commandes se sont révélées frauduleuses}} jusqu’ici : les proportions peuvent encore beaucoup changer.",
  "fraud-caught": "Fraude détectée",
  "fraud-caught-and-good-orders-stopped": "Fraude détectée et bonnes commandes bloquées",
  "good-orders-stopped": "Bonnes commandes bloquées",
  level: "Niveau",
  "no-order-is-known-to-be": "Aucune commande n’est encore connue comme bonne.",
  "no-order-turned-out-to-be": "Aucune commande ne s’est révélée frauduleuse.",
  "no-outcomes-are-known-yet": "Aucune issue n’est encore connue.",
  "no-payment-dispute-has-arrived-if":
    "Aucune contestation de paiement n’est arrivée. Si votre boutique ne partage pas ses contestations, la fraude passée n’est pas comptée et les commandes rétrofacturées comptent comme bonnes.",
  "no-risk-level": "Aucun niveau de risque",
  "orders-whose-outcome-is-known-by": "Commandes dont l’issue est connue, par niveau de risque",
  refunded: "Remboursées",
  stopped:
    "Sur {count, plural, one {# commande que l’on sait bonne} other {# commandes que l’on sait bonnes}}, Holdfast en a bloqué {stopped, number}.",
  "too-few": "Trop peu pour conclure",
  "too-few-good":
    "C’est trop peu pour dire à quelle fréquence de bonnes commandes sont bloquées : il en faut {needed, number}. La plupart de celles vérifiées par une personne étaient retenues ; les commandes acceptées ne comptent qu’après {days, number} jours sans contestation.",
};
