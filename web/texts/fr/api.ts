export const TEXTS = {
  "being-carried-out": "{decision} C’est en cours d’exécution. Réessayez dans un instant.",
  "cant-reach-the-server-check-your":
    "Impossible de joindre le serveur. Vérifiez votre connexion et réessayez.",
  contested: "{decision} Regardez à nouveau la commande avant d’en décider autrement.",
  "couldnt-get-a-session-from-the": "La plateforme n’a pas fourni de session. Rechargez la page.",
  decided:
    "{who} a {act, select, approve {approuvé cette commande} decline {refusé cette commande} handle {marqué cette commande comme traitée} other {demandé une nouvelle vérification de cette commande}} le {time}.",
  "holdfast-is-unavailable-try-again-in": "Holdfast est indisponible. Réessayez dans quelques minutes.",
  "in-english": "{text} (en anglais)",
  "requires-role":
    "Nécessite le rôle {role, select, viewer {observateur} reviewer {réviseur} other {propriétaire}}. Demandez l’accès à un propriétaire.",
  "server-error": "Le serveur a renvoyé une erreur ({status}). Réessayez.",
  "someone-else-changed-this-reload-to":
    "Quelqu’un d’autre a modifié cet élément. Rechargez pour voir la dernière version.",
  "something-went-wrong-on-this-page": "Un problème est survenu sur cette page. Rechargez-la.",
  "this-doesnt-exist-or-it-was":
    "Cet élément n’existe pas ou a été supprimé. Revenez en arrière et réessayez.",
  "too-late": "Trop tard pour annuler : {decision}",
  "too-many-requests-wait-a-moment": "Trop de requêtes. Patientez un instant, puis réessayez.",
  "undo-first": "{decision} Annulez d’abord cette décision.",
  "your-role-doesnt-allow-this-ask": "Votre rôle ne le permet pas. Demandez l’accès à un propriétaire.",
  "your-session-has-ended-sign-in": "Votre session a expiré. Reconnectez-vous.",
};
