export const TEXTS = {
  "not-granted": "não compartilhado com o Holdfast: dê acesso ao app nas configurações",
  "not-yet": "ainda não disponível: o Holdfast olhará de novo quando a plataforma tiver",
  "personal-data": "não compartilhado com o Holdfast: o app não tem acesso a dados pessoais",
  refused: "ilegível: a resposta da plataforma não pôde ser usada",
  throttled: "ainda não lido: a plataforma limita a leitura. O Holdfast olhará de novo",
  unavailable: "ainda não lido: não foi possível acessar a plataforma. O Holdfast olhará de novo",
};
