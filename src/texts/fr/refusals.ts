export const TEXTS = {
  "access-removed":
    "Votre accès à Holdfast a été supprimé. Demandez à un propriétaire de cette boutique de le rétablir.",
  "already-declined": "La commande était déjà refusée. Bloquez l’acheteur sur la page de la commande.",
  "body-invalid": "Les données sont incorrectes. Corrigez les champs indiqués.",
  "body-late": "Les données ne sont pas arrivées à temps. Réessayez.",
  "body-too-large": "Les données sont trop volumineuses. La limite est de {max} octets.",
  "buyer-question-closed": "Aucune question n’est en attente auprès de l’acheteur de cette commande.",
  "buyer-trusted":
    "Rien n’a été refusé : l’une de ces données est de confiance. Retirez-la d’abord de la liste.",
  "catalog-unreachable":
    "Impossible de joindre le catalogue pour tester la clé. Rien n’a été enregistré. Réessayez.",
  "data-request-not-found": "Demande de données introuvable.",
  "dispute-not-found": "Aucune contestation de cette commande n’est connue.",
  "dispute-unseen":
    "Une banque pose des questions sur le paiement de cette commande. Ouvrez la commande pour l’approuver.",
  "entry-invalid": "L’entrée est incorrecte. Corrigez les champs indiqués.",
  "entry-value-missing":
    "La commande ne contient pas cette donnée, ou ses données personnelles ont été effacées.",
  "evidence-changed":
    "Les preuves ont changé depuis que vous les avez consultées. Rien n’a été enregistré. Consultez-les à nouveau.",
  "evidence-dispute-hidden":
    "Shopify ne montre pas cette contestation à l’application : elle ne relève pas de Shopify Payments. Téléchargez les preuves et importez-les là où vous répondez à la contestation.",
  "evidence-invalid":
    "Shopify refuse le texte. Rien n’a été enregistré. Téléchargez les preuves et importez-les là où vous répondez à la contestation.",
  "evidence-no-form":
    "Cette plateforme n’a pas de formulaire de preuves que les applications puissent remplir. Téléchargez les preuves et importez-les là où vous répondez à la contestation.",
  "evidence-not-allowed":
    "L’application ne peut pas écrire de preuves : l’autorisation write_shopify_payments_dispute_evidences manque, ou Shopify la refuse. Téléchargez les preuves et importez-les là où vous répondez à la contestation.",
  "evidence-past-due": "Le délai de la banque est dépassé. Rien n’a été enregistré.",
  "evidence-submitted":
    "Des preuves ont déjà été envoyées, ou la contestation est terminée. Rien n’a été enregistré.",
  "evidence-unsure":
    "La plateforme est indisponible. À la connaissance de Holdfast, rien n’a été enregistré. Réessayez plus tard.",
  failed: "Un problème est survenu dans Holdfast. Recherchez l’`errorId` dans le journal.",
  "file-not-export": "Le fichier n’est pas un export de Fraud Filter.",
  "foreign-site": "Cette requête vient d’un autre site.",
  "key-test-limit": "Vous pouvez tester {max} clés par heure. Rien n’a été enregistré. Réessayez plus tard.",
  "last-owner": "C’est le dernier propriétaire. Donnez d’abord le rôle de propriétaire à une autre personne.",
  "mail-server-missing": "Cette installation n’a pas de serveur de messagerie.",
  "members-unreadable":
    "Impossible de lire les membres de votre espace de travail. Saisissez le nom vous-même ou réessayez plus tard.",
  "mention-unknown": "Choisissez des personnes qui peuvent décider des commandes ici.",
  "not-found": "Introuvable.",
  "note-erased": "Le contenu de la commande a été effacé : vous ne pouvez pas ajouter de note.",
  "nothing-to-undo": "Il n’y a pas de décision à annuler. Rechargez la commande.",
  "notice-address-missing": "Enregistrez d’abord une adresse, puis envoyez un test.",
  "notice-limit": "Vous pouvez le faire {max} fois par heure. Réessayez plus tard.",
  "notices-invalid": "Vérifiez les champs. Rien n’a été enregistré.",
  "operator-fixed": "L’accès de l’opérateur vient de CONSOLE_TOKEN. Modifiez ou supprimez cette variable.",
  "order-changed": "La commande a changé depuis que vous l’avez chargée. Rechargez-la et décidez à nouveau.",
  "order-claimed": "Quelqu’un d’autre examine cette commande. Reprenez-la si cette personne ne peut pas.",
  "order-hidden": "La plateforme ne montre plus cette commande à Holdfast.",
  "order-not-found": "Commande introuvable.",
  "order-not-on-platform": "La plateforme n’a pas cette commande.",
  "order-recheck-limit":
    "Cette commande a été revérifiée {max} fois en 24 heures, ce qui est la limite. Réessayez après cette date : {time}.",
  overloaded: "Trop de requêtes à la fois. Réessayez.",
  "own-role":
    "Vous ne pouvez ni changer votre propre rôle ni supprimer votre propre accès. Demandez à un autre propriétaire.",
  "owner-required": "Le rôle de propriétaire est requis. Demandez l’accès à un propriétaire.",
  "pdf-package-missing":
    "Un paquet manque pour les fichiers PDF. Demandez à la personne qui gère Holdfast d’exécuter : npm install pdfkit@0.20. D’ici là, téléchargez les preuves au format JSON.",
  "phantom-not-found": "Aucune politique fantôme n’est enregistrée.",
  "platform-not-configured": "La plateforme de la commande n’est plus configurée.",
  "platform-unavailable": "La plateforme est indisponible. Réessayez plus tard.",
  "policy-busy": "Quelqu’un d’autre vient de modifier la politique. Réessayez.",
  "policy-changed": "Quelqu’un d’autre a modifié la politique. Rechargez-la.",
  "policy-invalid": "La politique est incorrecte. Corrigez les champs indiqués.",
  "policy-not-saved": "La politique n’a pas été enregistrée. Corrigez les champs indiqués.",
  "policy-unfit":
    "La politique enregistrée ne peut pas recevoir l’entrée. Corrigez-la sur la page de la politique.",
  "policy-unsaved":
    "Enregistrez une fois la politique avant d’utiliser les listes : d’ici là, rien n’est annulé.",
  "policy-version-not-found": "Version de la politique introuvable.",
  "query-invalid": "L’adresse est incorrecte. Corrigez les paramètres indiqués.",
  "replay-running": "Une autre simulation est en cours pour cette boutique. Attendez qu’elle se termine.",
  "reviewer-required": "Le rôle de réviseur est requis. Demandez l’accès à un propriétaire.",
  "rule-not-found": "La politique n’a plus de règle de ce nom.",
  "sandbox-limit": "Vous pouvez créer {max} commandes de test par heure. Réessayez plus tard.",
  "service-unreachable":
    "Impossible de joindre le service de vérification pour tester la clé. Rien n’a été enregistré. Réessayez.",
  "session-unchecked": "Impossible de vérifier votre session. Réessayez.",
  "settings-busy": "Quelqu’un d’autre vient de modifier les paramètres. Réessayez.",
  "settings-changed": "Quelqu’un d’autre a modifié les paramètres. Rechargez-les.",
  "settings-not-saved": "Les paramètres n’ont pas été enregistrés. Corrigez les champs indiqués.",
  "settings-unreadable":
    "Les paramètres de la boutique ne peuvent pas être déchiffrés. Vérifiez d’abord DATA_KEY.",
  "settings-unreadable-start-over":
    'Les paramètres enregistrés ne peuvent pas être déchiffrés. Rien n’a été modifié. Vérifiez DATA_KEY. Pour repartir de zéro, enregistrez d’abord la clé du service, ou "service": null pour aucune : cela supprime tout ce qui était enregistré.',
  "shop-not-signed-in": "Vous n’êtes pas connecté à cette boutique.",
  "shop-recheck-limit":
    "Cette boutique a revérifié {max} commandes en 24 heures, ce qui est la limite. Réessayez après cette date : {time}.",
  "sign-in-limit": "Trop d’échecs de connexion depuis cette adresse. Patientez, puis réessayez.",
  "sign-in-needed": "Connectez-vous d’abord.",
  "token-limit": "Vous avez atteint la limite de jetons. Révoquez ceux que vous n’utilisez plus.",
  "token-revoked": "Ce jeton a été révoqué. Créez-en un nouveau.",
  "token-unknown": "Ce jeton est inconnu ou a été révoqué. Vérifiez-le et réessayez.",
  unavailable: "Holdfast est temporairement indisponible. Réessayez plus tard.",
  "user-id-taken": "Cet identifiant appartient à un autre utilisateur.",
  "user-not-found": "Utilisateur introuvable.",
  "view-limit":
    "Vous avez {max} vues enregistrées de ce type, le maximum possible. Supprimez-en d’abord une.",
  "view-name-taken": "La vue n’a pas été enregistrée. Choisissez un autre nom.",
  "view-not-found": "Vue introuvable.",
  "view-not-yours": "Seule la personne qui a enregistré cette vue ou un propriétaire peut la modifier.",
  "view-sharing":
    "Le partage d’une vue avec la boutique requiert le rôle de réviseur. Enregistrez-la pour vous seul.",
  "viewer-required": "Le rôle d’observateur est requis. Demandez l’accès à un propriétaire.",
  "workspace-missing": "Aucun espace de travail n’est configuré.",
};
