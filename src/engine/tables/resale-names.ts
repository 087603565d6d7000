import { foldText } from "../text/text-shape.ts";

/** Goods that are easy to resell, in English and by brand, as whole words (folded item name). */
const IN_ENGLISH =
  /\b(?:iphone|ipad|macbook|airpods|apple watch|galaxy (?:s|z|note|tab) ?\d*|smartphone|pixel \d+|playstation|ps[45]|xbox|nintendo switch|gpu|rtx ?\d*|geforce|radeon|graphics card|gaming laptop|laptop|camera|dslr|gopro|drone|sneakers?|air jordan|yeezy|perfume|parfum|rolex|omega (?:watch|seamaster|speedmaster)|designer bag|louis vuitton|gucci|chanel|hermes|gold (?:bar|coin))\b/;

/** Phones, laptops, cameras, consoles, graphics cards and gold in other languages, as whole words (folded item name). */
const IN_LATIN_LETTERS =
  /\b(?:handys?|mobiltelefon|drohne|kamera|digitalkamera|systemkamera|grafikkarte|spielkonsole|goldbarren|goldmunze|telephone portable|(?:ordinateur|pc) portable|appareil photo|carte graphique|console de jeux|lingot d.or|piece d.or|telefono movil|celular|(?:ordenador|computadora) portatil|camara|tarjeta grafica|consola de (?:video)?juegos|lingote de oro|moneda de oro|(?:telefono )?cellulare|computer portatile|fotocamera|scheda (?:video|grafica)|lingotto d.oro|telemovel|placa de video|barra de ouro|mobiele telefoon|fototoestel|videokaart|spelcomputer|goudbaar|smartfon|telefon komorkowy|aparat fotograficzny|karta graficzna|konsola do gier|sztabka zlota|barbar dator|grafikkort|spelkonsol|guldtacka|cep telefonu|akilli telefon|dizustu bilgisayar|fotograf makinesi|ekran karti|oyun konsolu|gram altin|altin kulce|kulce altin|mobilni telefon|chytry telefon|fotoaparat|graficka karta|herni konzole|okostelefon|fenykepezogep|videokartya|jatekkonzol|telefon mobil|placa video|alypuhelin|kannettava tietokone|naytonohjain|pelikonsoli|ponsel|emas batangan|dien thoai|may tinh xach tay|may anh)\b/;

/** The same in other scripts, whose word boundaries a regular expression can't find. */
const OTHER_SCRIPTS = new RegExp(
  `смартфон, мобильный телефон, мобільний телефон, ноутбук, фотоаппарат, фотоапарат, видеокарта, відеокарта, игровая приставка,
  ігрова консоль, золотой слиток, κινητό τηλέφωνο, φορητός υπολογιστής, スマートフォン, スマホ, ノートパソコン, ゲーム機, デジタルカメラ,
  ミラーレス, グラフィックボード, 金貨, 手机, 手機, 笔记本电脑, 筆記型電腦, 筆電, 游戏机, 遊戲機, 相机, 相機, 显卡, 顯示卡, 金条, 金條, 스마트폰, 휴대폰,
  노트북, 게임기, 카메라, 그래픽카드, 골드바, โทรศัพท์มือถือ, โน้ตบุ๊ก, ทองคำแท่ง, मोबाइल फोन, लैपटॉप, هاتف ذكي, هاتف محمول, لابتوب,
  حاسوب محمول, آيفون, كاميرا, سبيكة ذهب, טלפון סלולרי, סמארטפון, מחשב נייד, מצלמה`
    .split(/,\s+/)
    .map(foldText)
    .join("|"),
);

/** Accessories of such goods, which nobody uses a stolen card for (folded item name). */
const ACCESSORIES =
  /\b(?:case|cover|cable|charger|protector|strap|band|holder|stand|adapter|sticker|sleeve|mount|skin|dock|tripod|socks|laces|cleaner|remote|manual|replacement|backpack|laptop bag|camera bag)\b/;

/** What comes with the goods: "AirPods with charging case" (folded item name). */
const INCLUDED = /(?<![\p{L}\p{N}])(?:with|incl|including|mit|inkl|avec|con|com|met|med|z)\.? .*$/u;

/** Whether a folded item name is an accessory of goods that are easy to resell. */
export function namesAccessory(name: string): boolean {
  return ACCESSORIES.test(name.replace(INCLUDED, ""));
}

/**
 * Whether a folded item name says that the goods are easy to resell.
 *
 * @param isTooDear - The goods cost more than accessories do.
 */
export function namesResaleGoods(name: string, isTooDear = false): boolean {
  if (!isTooDear && namesAccessory(name)) return false;
  return IN_ENGLISH.test(name) || IN_LATIN_LETTERS.test(name) || OTHER_SCRIPTS.test(name);
}
