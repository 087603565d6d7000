export const TEXTS = {
  "access-log": "Journal d’activité",
  "by-month-end": "Attendues d’ici la fin du mois",
  changed:
    "Les preuves ont changé pendant votre lecture. Rien n’a été enregistré. Voici ce qui serait enregistré maintenant.",
  communication: "Messages avec l’acheteur",
  "communication-hint":
    "Collez-les ici. Shopify ne les partage pas avec les applications. Holdfast ne les enregistre pas.",
  "count-meter": "{expected} contestations attendues ; la limite est {limit}",
  email: "Adresse e-mail",
  "exactly-this": "C’est exactement ce qui sera enregistré dans le formulaire de Shopify. Rien n’est envoyé.",
  "first-name": "Prénom",
  "from-bank": "Banque de l’acheteur",
  "from-local": "Moteur local",
  "from-person": "Votre équipe",
  "from-platform": "Votre boutique",
  "from-service": "Service de vérification",
  gauge: "Contestations de ce mois",
  "gauge-lead":
    "Depuis le {day}. Les réseaux de cartes agissent si un mois dépasse les deux limites : {share} des commandes et {count, number} contestations ({source, select, visa {programme de surveillance VAMP de Visa, depuis avril 2026} other {vos paramètres}}).",
  "keep-days": "Conserver les commandes pour les contestations, en jours",
  "keep-hint":
    "De 150 à 540 jours ; 400 suffisent. Les commandes plus anciennes sont supprimées. Vide : rien n’est conservé, et tout ce qui l’a été est supprimé aussitôt.",
  "keep-lead":
    "Pour montrer à une banque qu’un acheteur est votre client, Visa demande deux commandes antérieures. Holdfast peut conserver, chiffrés, le numéro de chaque commande, sa date, son montant, ses articles, l’adresse IP, l’adresse de livraison, l’e-mail et la marque de la carte, ainsi que des empreintes de la carte, du client et de l’e-mail. Seules les commandes à venir sont conservées. Mentionnez-le dans votre politique de confidentialité.",
  known: "Ce que Holdfast sait",
  "last-name": "Nom",
  "limit-count": "Limite du nombre de contestations",
  "limit-percent": "Saisissez un pourcentage supérieur à 0, par exemple 1.5, avec un point.",
  "limit-share": "Limite de la part des commandes, en pourcentage",
  "limits-lead":
    "À partir de quelle part et de quel nombre de contestations par mois votre réseau de cartes agit. Visa : 1,5 % et 1 500, depuis avril 2026.",
  missing: "Ce qui manque, et où le trouver",
  "not-kept":
    "Les commandes antérieures ne sont pas conservées dans cette boutique. Un propriétaire peut l’activer dans les paramètres, pour de futures contestations.",
  "off-deletes": "Enregistrer supprime aussitôt tout ce qui a été conservé.",
  open: "Preuves",
  pdf: "Télécharger le PDF",
  preview: "Aperçu du brouillon",
  range: "Si cela continue ainsi : probablement {low} à {high}",
  save: "Enregistrer comme brouillon dans Shopify",
  "save-settings": "Enregistrer",
  saved: "Brouillon enregistré. Envoyez-le dans Shopify.",
  "settings-saved": "Paramètres des contestations enregistrés.",
  share: "Part des commandes",
  "share-meter": "{share} des commandes ; la limite est {limit}",
  "share-of": "{count, plural, one {# contestation} other {# contestations}} pour {orders, number} commandes",
  "shipping-address": "Adresse de livraison",
  statement: "Déclaration",
  stays: "Déjà rempli. Reste inchangé.",
  tc40: "Visa compte aussi les signalements de fraude des banques (TC40), que Holdfast ne voit pas. Votre chiffre réel est plus élevé : demandez à votre prestataire de paiement.",
  title: "Preuves pour {name}",
  "too-early": "Trop tôt dans le mois pour le dire",
  "why-filled":
    "Tous les champs sont déjà remplis dans Shopify : il n’y a rien à enregistrer. Téléchargez plutôt les preuves.",
  "why-invalid": "Shopify refuse le texte. Téléchargez plutôt les preuves.",
  "why-no-form":
    "Cette plateforme n’a pas de formulaire que les applications peuvent remplir. Téléchargez plutôt les preuves.",
  "why-not-allowed":
    "L’application n’a pas le droit d’écrire des preuves dans cette boutique. Téléchargez-les plutôt.",
  "why-past-due": "Le délai de la banque est dépassé.",
  "why-submitted": "Des preuves ont déjà été envoyées, ou la contestation est terminée.",
  "why-unknown":
    "Ce n’est pas une contestation de Shopify Payments. Téléchargez les preuves et ajoutez-les là où vous répondez.",
  "you-submit":
    "Holdfast n’envoie jamais rien à la banque. Lisez les preuves, puis envoyez-les dans votre boutique. Les textes sont en anglais, pour la banque.",
};
