import { foldText } from "../text/text-shape.ts";

/**
 * Gift cards, vouchers and codes by language, as whole words of a folded item name. A space also matches a hyphen or nothing,
 * and an `s`, `e`, `n`, `en` or `nen` may follow. Words that also name other goods ("refill", "credit") are left out.
 */
const GIFT_CARDS = `
  e ?gift, e ?gift card, gift card, gift voucher, gift certificate, gift code, digital gift, store credit card, shopping voucher,
  gutschein, gutscheinkarte, gutscheincode, wertgutschein, geschenkkarte, geschenkgutschein, guthabenkarte, guthabencode,
  carte cadeau, e carte cadeau, cheque cadeau, bon cadeau, bon d.achat, code cadeau, carte prepayee,
  tarjeta regalo, tarjeta de regalo, cheque regalo, bono regalo, vale de compra, vale regalo, tarjeta prepago, codigo de regalo,
  cartao presente, cartao oferta, cheque oferta, vale presente, vale compras, gift card virtual, cartao pre pago,
  carta regalo, buono regalo, buono acquisto, carta prepagata, buono spesa,
  cadeaubon, cadeaukaart, waardebon, boekenbon, tegoedkaart, presentkort, gavekort, gavekupong, lahjakortti, kinkekaart,
  karta podarunkowa, bon podarunkowy, karta upominkowa, karta przedplacona, darkovy poukaz, darkova karta, darcekova poukazka,
  ajandekutalvany, ajandekkartya, vasarlasi utalvany, card cadou, tichet cadou, davanu karte, dovanu kuponas, darilni bon,
  poklon bon, poklon kartica, hediye karti, hediye ceki, kartu hadiah, voucher belanja, kad hadiah, baucar hadiah, the qua tang,
  phieu qua tang`;

/** Prepaid money and the money of games and stores, by brand: sold on within minutes, and never sent back. */
const PREPAID = `
  paysafe ?card, paysafecash, neosurf, cashlib, flexepin, transcash, toneo first, pcs mastercard, ukash, astropay, jeton cash,
  openbucks, cash ?to ?code, bitcoin voucher, crypto voucher, crypto gift, binance gift card, bitnovo, azteco,
  prepaid card, prepaid visa, prepaid mastercard, prepaidkarte, vanilla visa, vanilla mastercard, greendot moneypak,
  robux, roblox (?:code|credit|card), v ?bucks, razer gold, steam (?:wallet|gift|code|credit|voucher|card|guthaben),
  (?:itunes|apple|app store) (?:gift|code|credit|voucher|card|karte|guthaben|carte), google play (?:gift|code|credit|voucher|card|karte|guthaben|carte|guthabenkarte),
  (?:playstation|psn|ps store) (?:store|wallet|gift|code|credit|voucher|card|karte|guthaben|network card|plus card),
  (?:xbox|microsoft) (?:gift|code|credit|voucher|wallet|card|guthaben), nintendo (?:eshop|e shop|gift|code|card|guthaben) ?(?:card|code|karte)?,
  (?:amazon|ebay|zalando|netflix|spotify|uber|airbnb|walmart|target|visa|mastercard|amex) (?:gift|e ?gift|voucher|gutschein|code|karte|guthaben)(?: card)?,
  (?:riot|valorant|fortnite|fifa|fc|apex|pubg) (?:points|coins|gift|code|card|uc), mobile legends diamonds, free fire diamonds,
  (?:game|mobile game) (?:coins|credits|diamonds), garena shells, unipin (?:credits|voucher), mycard (?:points|card), moneycard`;

/** Credit for a phone, and other credit that a code loads. */
const TOP_UPS = `
  top ?up (?:card|code|voucher|pin), (?:console|phone|mobile|wallet|account|airtime) top ?up, airtime (?:card|code|voucher),
  recharge (?:card|code|voucher|pin|mobile), (?:carte|coupon|code|ticket) recharge, aufladecode, aufladekarte, handyaufladung,
  recarga (?:de )?(?:movil|celular|telefono|saldo|digital), tarjeta de recarga, ricarica (?:telefonica|cellulare|online|tim|vodafone|wind),
  beltegoed, prepaid tegoed, doladowanie (?:telefonu|konta|karty), dobijeci kupon, feltoltokartya, kontor karti, pulsa, isi ulang pulsa`;

/** The same in other scripts, whose word boundaries a regular expression can't find. */
const OTHER_SCRIPTS = `
  подарочная карта, подарочный сертификат, карта пополнения, код пополнения, подарунковий сертифікат, подарункова картка,
  подаръчен ваучер, поклон картица, δωροκάρτα, δωροεπιταγή, προπληρωμένη κάρτα, כרטיס מתנה, שובר מתנה, תו קנייה, بطاقة هدايا,
  بطاقة هدية, بطاقة شحن, بطاقة مسبقة الدفع, کارت هدیه, 礼品卡, 禮品卡, 购物卡, 购物券, 充值卡, 点卡, 點數卡, 禮券, ギフトカード, ギフト券, ギフトコード,
  商品券, プリペイドカード, プリペイドコード, 상품권, 기프트카드, 문화상품권, 선불카드, บัตรของขวัญ, บัตรเติมเงิน, उपहार कार्ड, गिफ्ट कार्ड`;

const list = (words: string): readonly string[] =>
  words
    .trim()
    .split(/,\s+/)
    .map((word) => word.replaceAll(/ (?!\?)/g, "[ -]?").replaceAll(" ?", "[ -]?"));

const LATIN = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:${[GIFT_CARDS, PREPAID, TOP_UPS].flatMap(list).join("|")})(?:s|e|n|en|nen)?(?![\p{L}\p{N}])`,
  "u",
);
const ELSEWHERE = new RegExp(OTHER_SCRIPTS.trim().split(/,\s+/).map(foldText).join("|"));

/**
 * What carries gift cards rather than being one ("gift card holder", "gift card box"), and other goods in whose names the
 * words appear.
 */
const CARRIERS =
  /\b(?:gift ?cards?|gutschein\w*|carte[ -]cadeau) ?-? ?(?:holders?|box(?:es)?|envelopes?|tins?|displays?|organizers?|stands?|huelle|hulle|box|umschlag|verpackung)\b/;

/** Whether a folded item name is as good as cash: a gift card, a voucher, a code or prepaid credit. */
export function namesCashLikeGoods(name: string): boolean {
  return (LATIN.test(name) && !CARRIERS.test(name)) || ELSEWHERE.test(name);
}
