export const TEXTS = {
  orders: "Pedidos",
  overview: "Resumen",
  policy: "Política",
  queue: "Cola",
  report: "Informe",
  settings: "Configuración",
};
