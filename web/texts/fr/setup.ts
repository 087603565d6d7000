export const TEXTS = {
  "access-to-personal-data-isnt-known": "L’accès aux données personnelles n’est pas encore connu.",
  "all-settings": "Tous les paramètres",
  allow: "Autoriser",
  change: "Modifier",
  "check-again": "Revérifier",
  "check-your-first-order": "Vérifiez votre première commande",
  "choose-what-holdfast-does": "Choisissez ce que fait Holdfast",
  "connect-the-verification-service": "Connectez le service de vérification",
  "critical-orders-are-canceled-right-away":
    "Les commandes critiques sont annulées immédiatement. Shopify rembourse le client. Une annulation est définitive.",
  done: "fait",
  fine: "en ordre",
  "give-holdfast-access-to-the-platform": "Donnez à Holdfast l’accès à la plateforme",
  granted: "{count, plural, one {# autorisation accordée} other {# autorisations accordées}}",
  "hold-and-cancel-orders": "Suspendre et annuler des commandes",
  "hold-orders": "Suspendre des commandes",
  "holdfast-holds-risky-orders-and-cancels": "Holdfast suspend les commandes risquées et n’en annule aucune.",
  "holdfast-holds-risky-orders-and-cancels-critical":
    "Holdfast suspend les commandes risquées et annule les critiques.",
  "holdfast-only-watches-your-orders": "Holdfast ne fait qu’observer vos commandes.",
  "holdfast-records-decisions-without-changing-orders":
    "Holdfast enregistre ses décisions sans modifier les commandes. Après quelques jours, le rapport montre ce qu’il aurait fait.",
  "holdfast-tags-and-holds-risky-orders":
    "Holdfast balise et suspend les commandes risquées. Vous décidez de la suite.",
  "not-checked": "non vérifié",
  "open-any-order-in-your-admin":
    "Ouvrez une commande dans votre interface administrateur, ajoutez le bloc Holdfast à la page et épinglez-le. Chaque commande affiche alors son risque, la décision et les raisons.",
  "open-holdfast-in-the-platforms-admin":
    "Ouvrez Holdfast dans l’interface de la plateforme pour l’autoriser.",
  "open-order": "Ouvrir la commande",
  "order-is": "État de la commande : {state}.",
  "pin-holdfast-to-your-order-pages": "Épinglez Holdfast à vos pages de commande",
  problem: "problème",
  "risk-level-of-the-test-order": "Niveau de risque de la commande de test",
  save: "Enregistrer",
  "send-sandbox-order": "Envoyer une commande de test",
  sending: "Envoi…",
  "setup-complete-holdfast-checks-orders-as":
    "Configuration terminée. Holdfast vérifie les commandes dès leur arrivée.",
  "show-orders": "Afficher les commandes",
  "steps-left":
    "{count, plural, one {# étape restante} other {# étapes restantes}}. Holdfast vérifie déjà vos commandes.",
  "the-platform-doesnt-share-personal-data":
    "La plateforme ne partage pas les données personnelles : les vérifications sont moins précises. Demandez l’accès sur la plateforme.",
  "the-platform-shares-the-personal-data":
    "La plateforme partage les données personnelles nécessaires aux vérifications.",
  "to-approve-decline-or-recheck-choose":
    "Pour approuver, refuser ou revérifier, choisissez « Examiner dans Holdfast » sous « Plus d’actions » d’une commande. Dans la liste des commandes, sélectionnez-en d’abord.",
  "to-do": "à faire",
  "uses-no-credits-and-changes-nothing": "N’utilise aucun crédit et ne change rien sur la plateforme.",
  "view-policy": "Voir la politique",
  waiting: "en attente…",
  warning: "avertissement",
  "watch-only-recommended": "Observation seule (recommandé)",
  "welcome-to-holdfast": "Bienvenue dans Holdfast",
  "what-holdfast-does": "Ce que fait Holdfast",
  "your-first-orders-have-arrived": "Vos premières commandes sont arrivées.",
};
