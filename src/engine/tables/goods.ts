/** Goods that are money at once: codes and cards (folded item name). */
export const GIFT_CARD_PATTERN =
  /\b(?:e-?)?gift ?-?(?:cards?|vouchers?|certificates?)\b|\b(?:gutschein(?:karte)?|geschenkkarte|geschenkgutschein|carte[ -]cadeau|cheque[ -]cadeau|tarjeta (?:de )?regalo|cartao[ -]presente|vale[ -]presente|carta regalo|buono regalo|cadeaubon|cadeaukaart|presentkort|gavekort|karta podarunkowa)\b|\bprepaid (?:card|visa|mastercard)\b|\b(?:steam|itunes|google play|playstation|psn|xbox|roblox|razer gold|apple) (?:gift|code|credit|voucher|card)|\b(?:steam|playstation|psn) wallet\b|\btop-?up (?:card|code|voucher)\b/;

/** Goods that sell again within the hour (folded item name). */
export const RESALE_PATTERN =
  /\b(?:iphone|ipad|macbook|airpods|apple watch|galaxy (?:s|z|note|tab) ?\d*|smartphone|pixel \d+|playstation|ps[45]|xbox|nintendo switch|gpu|rtx ?\d*|geforce|radeon|graphics card|gaming laptop|laptop|camera|dslr|gopro|drone|sneakers?|air jordan|yeezy|perfume|parfum|rolex|omega (?:watch|seamaster|speedmaster)|designer bag|louis vuitton|gucci|chanel|hermes|gold (?:bar|coin))\b/;

/** Accessories of such goods, which nobody steals a card for (folded item name). */
export const ACCESSORY_PATTERN =
  /\b(?:case|cover|cable|charger|protector|strap|band|holder|stand|adapter|sticker|sleeve|mount|skin|dock|tripod|socks|laces|cleaner|remote|manual|replacement|backpack|laptop bag|camera bag)\b/;
