import { foldText } from "../text/text-shape.ts";

/** Category names of goods that are easy to resell. The published data for each: docs/local-engine.md. */
const RESALE = `
  electronics, elektronik, elektronika, elektronica, électronique, electrónica, eletrónica, eletrônica, eletrônicos,
  elettronica, электроника, електроніка, ηλεκτρονικά, 電子機器, 电子产品, 電子產品, 전자제품, إلكترونيات, الإلكترونيات, אלקטרוניקה,

  phones?, smartphones?, handys, mobiltelefone, téléphones, teléfonos, móviles, celulares, telemóveis, telefoni, cellulari,
  telefoons, telefoner, mobiltelefoner, telefony, smartfony, telefonlar, телефоны, смартфоны, телефони, смартфони,
  τηλέφωνα, 携帯電話, スマートフォン, 手机, 手機, 휴대폰, 스마트폰, هواتف, الهواتف, טלפונים,

  computers?, laptops?, cameras?, drones, smartwatches, ordinateurs, ordenadores, portátiles, computadoras, computadores,
  datorer, laptopy, komputery, počítače, notebooky, bilgisayar, kameras, cámaras, câmeras, fotocamere, kameror,
  (?:video )?game consoles, gaming consoles, spielkonsolen, graphics cards, video cards, grafikkarten, appareils photo,
  aparaty fotograficzne, ноутбуки, компьютеры, фотоаппараты, パソコン, ノートパソコン, カメラ, ゲーム機, 笔记本电脑,
  筆記型電腦, 电脑, 電腦, 相机, 相機, 노트북, 컴퓨터, 카메라,

  watches, wristwatches, uhren, armbanduhren, montres, relojes, relógios, orologi, horloges, zegarki, hodinky, часы,
  годинники, ρολόγια, 腕時計, 手表, 手錶, 시계, ساعات, الساعات, שעונים,

  jewellery, jewelry, schmuck, bijoux, joaillerie, joyas, joyería, joias, gioielli, gioielleria, sieraden, juwelen,
  smycken, smykker, biżuteria, šperky, mücevher, ювелирные (?:изделия|украшения), ювелірні вироби, κοσμήματα, ジュエリー,
  珠宝, 珠寶, 首饰, 首飾, 주얼리, مجوهرات, المجوهرات, תכשיטים, precious metals, bullion,

  sneakers?, スニーカー, 运动鞋, 運動鞋, 스니커즈, luxury, luxus, luxe, lujo, luxo, lusso, handbags, handtaschen, designer bags,
  sacs à main, 奢侈品, 명품`;

/** Goods as good as cash. */
const GIFT_CARDS = `
  e?-?gift[ -]cards?, gift (?:certificates?|vouchers?), gutscheine?, geschenkgutscheine?, geschenkkarten?,
  cartes?[ -]cadeaux?, chèques?[ -]cadeaux?, tarjetas? (?:de )?regalo, cart(?:ão|ões)[ -]presente, vales?[ -]presente,
  buoni regalo, carte regalo, cadeaubon(?:nen)?, cadeaukaart(?:en)?, presentkort, gavekort, karty podarunkowe,
  dárkové poukazy, hediye kart(?:ı|ları), подарочные (?:карты|сертификаты), подарункові картки, ギフトカード, ギフト券,
  商品券, 礼品卡, 禮品卡, 禮券, 상품권, 기프트카드`;

/** Accessories of such goods, which nobody uses a stolen card for. `*` matches the rest of a word. */
const ACCESSORIES = `
  accessory, accessories, accessoires, accesorios, acessórios, accessori, akcesoria, příslušenství, *zubehör, *tillbehör,
  *tilbehør, aksesuar, aksesuarlar, aksesuarları, аксессуары, аксесуари, αξεσουάρ, *配件, *액세서리, *アクセサリー, إكسسوارات, اكسسوارات,
  אביזרים, cases?, covers?, *hüllen?, étuis?, coques, fundas, capas, custodie, *hoesjes, pouzdra, чехлы, чохли, *ケース,
  *保护壳, *保護殼, cables?, *kabel, câbles, cavi, кабели, chargers?, *ladegeräte, chargeurs, cargadores, carregadores,
  *opladers, ładowarki, straps?, bands?, *armbänder, protectors?, holders?, stands?, adapters?, sleeves?, mounts?, boxes,
  envelopes, storage, organizers?, cleaning, *parts, repairs?, replacement, *ersatzteile, repuestos, peças, ricambi,
  *onderdelen, *части, (?:camera|laptop|computer) bags`;

/** Whole words of a folded text. */
function toPattern(words: string): RegExp {
  const folded = words.split(/,\s+/).map((word) => foldText(word).replace("*", String.raw`\p{L}*`));
  return new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${folded.join("|")})(?![\p{L}\p{N}])`, "u");
}

function toPatterns() {
  return {
    resale: toPattern(RESALE),
    giftCards: toPattern(GIFT_CARDS),
    accessories: toPattern(ACCESSORIES),
  };
}

let patterns: ReturnType<typeof toPatterns> | undefined;

/** Patterns for the folded name of one level of a category. Made for the first category: most shops have no catalog. */
export function categoryPatterns(): ReturnType<typeof toPatterns> {
  return (patterns ??= toPatterns());
}
