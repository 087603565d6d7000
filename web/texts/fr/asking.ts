export const TEXTS = {
  advice:
    "L’acheteur a confirmé cette commande ({method, select, earlier_address {adresse antérieure} card_code {relevé de carte} other {justificatif}})",
  "advice-milder": "Considérez-la comme un niveau de risque en dessous",
  "advice-wrong": "L’acheteur dit que ce n’est pas sa commande, ou n’a pas pu la confirmer",
  "any-word": "Toute réponse",
  answer: "Réponse",
  answered:
    "{answer, select, right {A confirmé la commande} wrong {Pas sa commande, ou n’a pas pu la confirmer} other {A envoyé un élément à examiner}} ({method, select, earlier_address {adresse antérieure} card_code {code du relevé de carte} other {justificatif}})",
  "buyer-answered": "L’acheteur a répondu",
  "buyer-asked": "Acheteur interrogé",
  "buyer-confirmed": "Confirmée par l’acheteur, une personne décide",
  "confirmed-reason": "L’acheteur a confirmé la commande",
  copied: "Lien copié. Envoyez-le uniquement à {address}",
  "copy-link": "Copier le lien de l’acheteur",
  "from-buyer": "L’acheteur",
  "keep-addresses":
    "Conserver les adresses des commandes sans incident aussi longtemps que les commandes, pour y interroger les acheteurs plus tard. Mentionnez-le dans votre politique de confidentialité",
  figure:
    "{figure, select, asked {Acheteurs interrogés} answered {Réponses} right {Confirmées} released {Libérées} other {Rétrofacturées ensuite}}",
  language: "Langue si celle de l’acheteur est inconnue",
  level: "Interroger l’acheteur à ce niveau de risque : {level}",
  method:
    "{method, select, earlier_address {Adresse antérieure} card_code {Code du relevé de carte} other {Justificatif}}",
  "nobody-asked": "Personne n’a été interrogé : aucun moyen possible",
  "not-offered": "Non proposé",
  "not-sent": "Envoi impossible ({problem}). Copiez le lien",
  "of-order": "{address}, utilisée par la commande {order}",
  "open-file":
    "{kind, select, heic {Enregistrer le fichier} pdf {Enregistrer le fichier} other {Afficher l’image}} ({kind}, {size, number} ko)",
  option:
    "{verify, select, none {Ne pas interroger l’acheteur} release {Interroger l’acheteur et lever le blocage après une bonne réponse} other {Interroger l’acheteur, une personne décide}}",
  picture: "Image envoyée par l’acheteur",
  retry: "Prochaine tentative",
  sent: "Envoyé",
  "sent-to": "Lien envoyé à",
  "shop-name": "Nom de la boutique pour les acheteurs",
  state:
    "{state, select, open {En attente de la réponse de l’acheteur} answered {L’acheteur a répondu} closed {Le lien ne fonctionne plus} other {Personne n’a été interrogé}}",
  status: "État",
  "the-buyer": "L’acheteur",
  "the-platforms-address": "Votre adresse sur la plateforme",
  title: "Interroger l’acheteur",
  until: "Lien valable jusqu’au",
  ways: "Moyens de répondre",
  "why-not":
    "{method, select, earlier_address {Adresse antérieure} card_code {Code du relevé de carte} other {Justificatif}} : {reason, select, not_chosen {exclu par votre règle} no_earlier_order {aucune commande antérieure de ce client ne compte} no_earlier_address {aucune adresse de commande antérieure n’est conservée} platform_cannot {la plateforme ne le permet pas} not_a_card {non payée par carte} no_payment {aucun paiement utilisable} not_configured {non configuré} already_used {déjà utilisé} several_cards {plusieurs cartes essayées} card_not_saved {carte non enregistrée} storage_full {plus de place pour des fichiers} other {impossible pour l’instant}}",
  with: "{what}. Interroge l’acheteur : {verify, select, release {une bonne réponse lève le blocage} other {une personne décide}}",
  word: "{word, select, asked {Acheteur interrogé} right {Confirmée par l’acheteur} wrong {L’acheteur dit que ce n’est pas la sienne} other {L’acheteur a envoyé quelque chose}}",
  "word-label": "Réponse de l’acheteur",
};
