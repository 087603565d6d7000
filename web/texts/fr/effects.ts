export const TEXTS = {
  already:
    "{act, select, approve {Cette commande est déjà approuvée.} decline {Cette commande est déjà annulée, ou en cours d’annulation.} handle {Cette commande est déjà marquée comme traitée.} other {Une nouvelle vérification est en cours.}}",
  cancels:
    "Annule la commande dans {platform}, {refund, select, sum {rembourse {sum}} yes {la rembourse} other {ne rembourse pas}}, {restock, select, yes {remet en stock} other {ne remet pas en stock}}{notify, select, yes { et avertit le client} other {}}. C’est définitif une fois effectif.",
  "cancels-sandbox":
    "Annule la commande de test. Aucun argent ne circule et rien ne change sur la plateforme.",
  "decides-again":
    "Décide à nouveau. N’utilise aucun crédit, car cette commande n’est pas envoyée au service de vérification.",
  handles:
    "Retire de la file la commande, déjà expédiée. Les rapports ne la comptent ni comme approuvée ni comme refusée.",
  "impossible-already-canceled": "Impossible : la commande est déjà annulée.",
  "impossible-being-canceled": "Impossible : la commande est en cours d’annulation sur la plateforme.",
  "impossible-being-carried-out":
    "Impossible : {first, select, approve {la commande a déjà été approuvée} decline {la commande a déjà été refusée} handle {la commande a déjà été marquée comme traitée} other {une nouvelle vérification a déjà été demandée}} et cela est en cours, réessayez dans un instant.",
  "impossible-canceled-on-platform": "Impossible : la commande a été annulée sur la plateforme.",
  "impossible-content-erased": "Impossible : le contenu de la commande a été effacé.",
  "impossible-content-unreadable": "Impossible : le contenu de la commande est illisible.",
  "impossible-contested":
    "Impossible : {first, select, approve {la commande a déjà été approuvée} decline {la commande a déjà été refusée} handle {la commande a déjà été marquée comme traitée} other {une nouvelle vérification a déjà été demandée}}, réexaminez-la avant de décider autrement.",
  "impossible-not-shipped": "Impossible : la commande n’est pas expédiée, approuvez-la ou refusez-la.",
  "impossible-undecided": "Impossible : la commande n’est pas encore décidée, réessayez dans un instant.",
  "impossible-undo-first":
    "Impossible : {first, select, approve {la commande a déjà été approuvée} decline {la commande a déjà été refusée} handle {la commande a déjà été marquée comme traitée} other {une nouvelle vérification a déjà été demandée}} et cela peut encore être annulé, annulez-le d’abord.",
  rechecks: "Utilise 1 crédit et décide à nouveau.",
  "rechecks-locally": "Revérifie avec le moteur local et décide à nouveau. N’utilise aucun crédit.",
  "records-approval": "Note que la commande est bonne. Elle est déjà expédiée.",
  "records-decline":
    "Enregistre votre décision, sans rien annuler ni rembourser : la commande est expédiée. Remboursez-la sur la plateforme.",
  "releases-both": "Lève la suspension de Holdfast et retire {tags}. La commande peut être expédiée.",
  "releases-hold": "Lève la suspension de Holdfast. La commande peut être expédiée.",
  "releases-nothing": "Ne change rien dans {platform}. La commande peut être expédiée.",
  "releases-tags": "Retire {tags}. La commande peut être expédiée.",
};
