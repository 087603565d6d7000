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
  "thanks-without-file":
    "{shop} a reçu votre réponse, mais n’a pas pu garder le fichier. Vous pouvez fermer cette page.",
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
  // card-code
  "code-title": "Trouvez le code sur votre relevé de carte",
  "code-text":
    "Un petit montant est bloqué sur la carte qui a payé cette commande. Il n’est pas débité et sera libéré plus tard. Cherchez-le dans l’application de votre banque ou sur votre relevé de carte : son libellé se termine par un code de 6 lettres. Il peut mettre un ou deux jours à apparaître.",
  "code-label": "Code de 6 lettres",
  "code-send": "Envoyer le code",
  "code-missing": "Saisissez le code.",
  "code-wrong": "Ce n’est pas le code. Recopiez les 6 dernières lettres du libellé sur votre relevé.",
  // evidence
  "evidence-title": "Écrivez à la boutique au sujet de votre commande",
  "evidence-text":
    "Écrivez un court message. Si c’est utile, ajoutez une photo ou un fichier, par exemple une facture antérieure. Une personne de la boutique le lira. N’envoyez pas de photo d’une carte de paiement, d’une carte d’identité ou d’un passeport.",
  "evidence-note": "Votre message",
  "evidence-file": "Photo ou fichier (facultatif) : JPEG, PNG, WebP, HEIC ou PDF, 8 Mo au maximum",
  "evidence-send": "Envoyer à la boutique",
  "say-something": "Écrivez un message ou ajoutez un fichier.",
  "note-too-long":
    "Le message est trop long. Limitez-le à 2 000 caractères. Si vous avez ajouté un fichier, choisissez-le à nouveau.",
  "file-too-large":
    "Le fichier est trop volumineux. Votre message est toujours là : choisissez un fichier de 8 Mo au maximum, ou envoyez seulement le message.",
  "file-type":
    "Ce type de fichier ne peut pas être envoyé. Votre message est toujours là : choisissez un fichier JPEG, PNG, WebP, HEIC ou PDF, ou envoyez seulement le message.",
  "upload-slow":
    "L’envoi du fichier a pris trop de temps. Votre message est toujours là : choisissez à nouveau le fichier, ou un fichier plus petit.",
  "upload-busy":
    "La boutique reçoit d’autres fichiers en ce moment. Votre message est toujours là : choisissez à nouveau le fichier et envoyez-le dans une minute.",
  "no-room":
    "La boutique ne peut pas recevoir de fichiers en ce moment. Votre message est toujours là : envoyez-le sans fichier.",
  "not-now":
    "Votre réponse n’a pas pu être enregistrée. Réessayez dans une minute. Si vous avez ajouté un fichier, choisissez-le à nouveau.",
};
