export const TEXTS = {
  "not-granted": "no compartido con Holdfast: da acceso a la aplicación en la configuración",
  "not-yet": "aún no disponible: Holdfast volverá a mirar cuando la plataforma lo tenga",
  "personal-data": "no compartido con Holdfast: la aplicación no tiene acceso a datos personales",
  refused: "ilegible: no se pudo usar la respuesta de la plataforma",
  throttled: "aún no leído: la plataforma limita cuánto se lee. Holdfast volverá a mirar",
  unavailable: "aún no leído: no se pudo acceder a la plataforma. Holdfast volverá a mirar",
};
