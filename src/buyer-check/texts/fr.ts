import type { BuyerTexts } from "./en.ts";

export const TEXTS: BuyerTexts = {
  title: "Cette commande est-elle la vôtre ?",
  intro: "{shop} a reçu cette commande et attend votre réponse avant de l’expédier.",
  order: "Commande {name}",
  items: "Articles",
  "more-items": "Et {count} de plus",
  "nothing-secret": "Nous ne demandons jamais ici de mot de passe ni de numéro de carte.",
  "gone-title": "Ce lien ne fonctionne plus",
  gone: "Un lien fonctionne une fois, pendant un temps limité. Pour toute question sur une commande, contactez la boutique.",
  "thanks-title": "Merci",
  thanks: "{shop} a reçu votre réponse. Vous pouvez fermer cette page.",
  "too-many-title": "Trop de tentatives",
  "too-many": "Patientez un moment, puis ouvrez à nouveau le lien.",
  "try-again": "Cela n’a pas fonctionné. Vérifiez votre réponse et réessayez.",
  "choose-one": "Choisissez l’une des réponses.",
  "mail-subject": "{shop} : la commande {name} est-elle la vôtre ?",
  "mail-intro": "{shop} a reçu la commande {name} et attend votre réponse avant de l’expédier.",
  "mail-open": "Ouvrez cette page pour confirmer la commande, ou pour dire qu’elle n’est pas la vôtre :",
  "mail-once": "Le lien fonctionne une fois, jusqu’au {until} (UTC). Ne le transférez pas.",
  "mail-not-you":
    "Si vous n’avez rien commandé, ouvrez la page et dites-le. La commande restera alors bloquée jusqu’à ce qu’une personne de la boutique l’ait examinée.",
  // earlier-address
  "earlier-title": "Avez-vous passé cette commande ?",
  "earlier-text":
    "Nous vous le demandons ici car l’une de vos commandes précédentes utilisait cette adresse.",
  "earlier-yes": "Oui, j’ai passé cette commande",
  "earlier-no": "Non, ce n’est pas ma commande",
};
