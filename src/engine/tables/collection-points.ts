import { foldText } from "../text/text-shape.ts";

/** Whole words for lockers, parcel shops and counters (folded text, Latin letters). */
const LATIN =
  /\b(?:pack ?station|postfiliale|gls shop|paketshop|paketbox|paketautomat|abholstation|parcel ?(?:shop|point|locker|collect)|amazon (?:hub|locker|counter)|lockers?|access ?point|pick ?-?up ?(?:point|store|station|location|box)|click (?:&|and) collect|collection point|collect ?plus|inpost|paczkomat\w*|automat paczkowy|orlen paczka|one ?box|punkt (?:odbioru|dpd|gls|inpost)|packeta|zasilkovna|z-?box|balikomat|balikovna|alzabox|foxpost|csomagautomata|csomagpont|pakettautomata|omniva|pakiautomaat|pak(?:et)?omat\w*|pastomat\w*|smartpost|smartposti|pakettiautomaatti|noutopiste|lp express|unisend|venipak|easybox|fan ?box|sameday box|econt|speedy office|box ?now|ship & go|skroutz point|acs (?:smart ?)?point|elta courier|city ?paq|punto (?:de )?(?:recogida|retiro|entrega|pack|ritiro|poste|seur|pickit)|pickit|celeritas|punto di ritiro|fermopoint|fermoposta|cacifo|locky|ponto (?:de (?:retirada|recolha)|ctt|pickup)|clique e retire|retirada na agencia|agencia dos correios|sucursal|chilexpress|servientrega|ocurre|point relais|relais (?:colis|pickup)|consigne pickup|chronopost relais|mondial relay|bpack|cubee|afhaalpunt|pak(?:ket|jes)(?:automaat|punt|kluis)|kiala|postnl[ -]punt|pakke(?:shop|boks|automat)|naerboks|swipbox|instabox|budbee box|postombud|utlamningsstalle|hentested|post i butikk|service ?point|kargomat|kargo subesi?|(?:aras|mng|ptt|surat|yurtici) kargo|hepsijet|teslimat noktasi|nova po(?:sh|s)hta|ukrposhta|meest|poshtomat|pochtomat|post[ao]mat|pvz|pickpoint|boxberry|cdek|sdek|pop ?station|popbox|pick locker|ezi ?box|loker|indomaret|alfamart|spx hub|j&t drop point|buu (?:cuc|dien)|ninja point|smart ?box aramex|cainiao|hive ?box|gs ?25|7-?eleven|seven ?eleven|family ?mart|pudo|pargo|paxi|postnet|ups store|fedex (?:office|onsite|ship cent(?:er|re))|luxer one|gopost|local collect|yodel|parcel (?:motel|connect)|an post|boxit|collect ?point|flex ?delivery|penguin ?pick-?up|poste restante|general delivery|postlagernd|lista de correos|fermo posta|fermo deposito)\b|\bcollect\+/;

/** The same in other scripts, unfolded, because a regular expression can't find their word boundaries. */
const OTHER_SCRIPTS: readonly string[] = [
  // Ukrainian, Russian, Kazakh, Bulgarian, Serbian.
  "нова пошта",
  "новая почта",
  "нової пошти",
  "новой почты",
  "поштомат",
  "почтомат",
  "постамат",
  "пункт выдачи",
  "пункт видачі",
  "пвз",
  "сдэк",
  "до востребования",
  "укрпошт",
  "поштове відділення",
  "почтовое отделение",
  "отделение почты",
  "белпочта",
  "европочта",
  "meest пошта",
  "5post",
  "еконтомат",
  "еконт",
  "офис на спиди",
  "автомат за пратки",
  "пакетомат",
  // Greek, Hebrew, Arabic.
  "σημειο παραλαβης",
  "θυριδα παραλαβης",
  "נקודת איסוף",
  "לוקר",
  "نقطة استلام",
  "خزانة الطرود",
  // Chinese, Japanese, Korean, Thai.
  "菜鸟驿站",
  "菜鳥驛站",
  "丰巢",
  "豐巢",
  "快递柜",
  "自提柜",
  "自提点",
  "智能柜",
  "快递超市",
  "兔喜",
  "代收点",
  "妈妈驿站",
  "順便智能櫃",
  "智能櫃",
  "自提點",
  "自提櫃",
  "順豐站",
  "店到店",
  "便利商店",
  "萊爾富",
  "超商",
  "門市",
  "宅配ロッカー",
  "プードー",
  "局留",
  "営業所止",
  "コンビニ受取",
  "はこぽす",
  "ローソン",
  "ファミリーマート",
  "セブンイレブン",
  "セブン-イレブン",
  "세븐일레븐",
  "편의점",
  "무인택배함",
  "택배보관함",
  "ตู้รับพัสดุ",
  "ล็อกเกอร์",
  "จุดรับพัสดุ",
];

const OTHERS = new RegExp(OTHER_SCRIPTS.map(foldText).join("|"));

/** Whether a folded street belongs to a place that receives many customers' goods. */
export function isCollectionPoint(street: string): boolean {
  return LATIN.test(street) || OTHERS.test(street);
}
