export const TEXTS = {
  "days-are-the-shops": "Las listas por día, los filtros y los informes cuentan los días de la tienda.",
  language: "Idioma",
  "same-as-browser": "Igual que el navegador",
  "the-shops": "La de la tienda ({zone})",
  "this-devices": "La de este dispositivo ({zone})",
  "time-zone": "Zona horaria",
};
