export const TEXTS = {
  "not-granted": "non partagé avec Holdfast : accordez l’accès à l’application dans les paramètres",
  "not-yet": "pas encore disponible : Holdfast réessaiera quand la plateforme l’aura",
  "personal-data": "non partagé avec Holdfast : l’application n’a pas accès aux données personnelles",
  refused: "illisible : la réponse de la plateforme est inutilisable",
  throttled: "pas encore lu : la plateforme limite la lecture. Holdfast réessaiera",
  unavailable: "pas encore lu : la plateforme était injoignable. Holdfast réessaiera",
};
