import { foldText } from "../text-shape.ts";

/** Words for lockers, parcel shops and counters that stand as words of their own (folded text, Latin letters). */
const LATIN =
  /\b(?:pack ?station|postfiliale|paketshop|paketbox|paketautomat|abholstation|parcel ?(?:shop|point|locker|collect)|amazon (?:hub|locker|counter)|lockers?|access ?point|pick ?-?up ?(?:point|store|station|location|box)|click (?:&|and) collect|collection point|collect ?plus|inpost|paczkomat\w*|packeta|zasilkovna|z-?box|balikomat|balikovna|alzabox|foxpost|csomagautomata|csomagpont|pakettautomata|omniva|pakiautomaat|pakomat\w*|pastomat\w*|smartpost|smartposti|pakettiautomaatti|noutopiste|lp express|unisend|venipak|easybox|fan ?box|sameday box|econt|speedy office|box ?now|skroutz point|city ?paq|punto (?:de )?(?:recogida|pack|ritiro|poste)|punto di ritiro|fermopoint|fermoposta|cacifo|locky|ponto (?:de (?:retirada|recolha)|ctt|pickup)|clique e retire|point relais|relais (?:colis|pickup)|consigne pickup|chronopost relais|mondial relay|bpack|cubee|afhaalpunt|pakket(?:automaat|punt|kluis)|postnl[ -]punt|pakke(?:shop|boks|automat)|naerboks|swipbox|instabox|budbee box|postombud|utlamningsstalle|hentested|post i butikk|service ?point|kargomat|teslimat noktasi|nova po(?:sh|s)hta|poshtomat|pochtomat|postamat|pvz|pickpoint|boxberry|cdek|sdek|pop ?station|popbox|pick locker|ninja point|smart ?box aramex|cainiao|hive ?box|gs ?25|7-?eleven|seven ?eleven|family ?mart|pudo|ups store|fedex office|poste restante|general delivery|postlagernd|lista de correos|fermo posta|fermo deposito)\b/;

/** The same in other scripts, which have no word boundaries that an expression knows; as they are written. */
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
  "代收点",
  "妈妈驿站",
  "順便智能櫃",
  "智能櫃",
  "自提點",
  "超商取貨",
  "門市",
  "宅配ロッカー",
  "プードー",
  "局留",
  "営業所止",
  "コンビニ受取",
  "세븐일레븐",
  "편의점",
  "무인택배함",
  "택배보관함",
  "ตู้รับพัสดุ",
  "จุดรับพัสดุ",
];

const OTHERS = new RegExp(OTHER_SCRIPTS.map(foldText).join("|"));

/** Whether a street (folded) is that of a place where the goods of many customers go. */
export function isCollectionPoint(street: string): boolean {
  return LATIN.test(street) || OTHERS.test(street);
}
