export const TEXTS = {
  orders: "Pedidos",
  overview: "Visão geral",
  policy: "Política",
  queue: "Fila",
  report: "Relatório",
  settings: "Configurações",
};
