import type { OrderContext } from "../../src/order/order-context.ts";
import type { OrderAddress, VerificationRequest } from "../../src/order/request.ts";
import { orderWith } from "./sample-order.ts";
import { BERLIN, LONDON, MADRID, PARIS, SAO_PAULO, TORONTO, VIENNA } from "./signal-orders.ts";

/** An order of an honest customer or a thief. The engine has to find the thief's and leave the honest one's alone. */
export interface OwnScenario {
  readonly side: "honest" | "fraud";
  readonly what: string;
  readonly order: VerificationRequest;
  readonly context?: OrderContext;
}

type Changes = Partial<VerificationRequest>;

const HOLDER = { brand: "visa", lastFourDigits: "8821", expiry: "08/28", holderName: "JANE SAMPLE" };
const NEW: Changes = {
  isFirstTimeCustomer: true,
  accountAgeInDays: 0,
  totalOrders: 0,
  cancelledOrders: 0,
  returnedOrders: 0,
  fulfilledOrders: 0,
  averageOrderValue: 0,
  paymentInfo: HOLDER,
};
const KNOWN: Changes = {
  isFirstTimeCustomer: false,
  accountAgeInDays: 640,
  totalOrders: 9,
  fulfilledOrders: 9,
  averageOrderValue: 55,
  paymentInfo: HOLDER,
};
const TAMPA: OrderAddress = {
  street: "9 Bay Ave",
  city: "Tampa",
  state: "FL",
  postalCode: "33602",
  country: "US",
};
const VIETNAM = "113.161.1.10";
const VPN = "146.70.100.10";
const TOR = "185.220.101.1";
const GERMAN_LINE = "91.64.0.10";

/** The catalog's category of the order's only line. */
const filedUnder = (category: string): OrderContext => ({ products: [{ sku: SKU, category }] });
const SKU = "SKU-1";
const dear = (name: string, quantity: number, price: number): Changes => ({
  items: [{ name, quantity, price, sku: SKU }],
  orderAmount: quantity * price,
});

const first = (changes: Changes = {}): VerificationRequest => orderWith({ ...NEW, ...changes });
const known = (changes: Changes = {}): VerificationRequest => orderWith({ ...KNOWN, ...changes });
const at = (place: OrderAddress, changes: Changes = {}): Changes => ({
  billingAddress: place,
  shippingAddress: place,
  ...changes,
});
const goods = (name: string, quantity: number, price: number): Changes => ({
  items: [{ name, quantity, price }],
  orderAmount: quantity * price + 4.95,
});
const named = (customerName: string, customerEmail: string, holderName = customerName): Changes => ({
  customerName,
  customerEmail,
  paymentInfo: { ...HOLDER, holderName },
});
const in_ = (country: string, city: string, postalCode: string, street: string): OrderAddress => ({
  street,
  city,
  state: city,
  postalCode,
  country,
});
const MOSCOW = in_("RU", "Москва", "101000", "ул. Мясницкая, 12");
const YEREVAN = in_("AM", "Yerevan", "0010", "12 Abovyan Street");
const BEOGRAD = in_("RS", "Beograd", "11000", "Knez Mihailova 12");
const TBILISI = in_("GE", "Tbilisi", "0105", "12 Rustaveli Ave");
const TOKYO = in_("JP", "東京", "100-0001", "千代田1-2-3");
const CAIRO = in_("EG", "القاهرة", "11511", "12 شارع التحرير");
const WINDHOEK = in_("NA", "Windhoek", "10005", "12 Independence Ave");
const ASUNCION = in_("PY", "Asunción", "1209", "Calle Palma 123");

/** What honest customers do, and how their orders pass. */
const HONEST: readonly (readonly [what: string, order: VerificationRequest, context?: OrderContext])[] = [
  ["a first order", first()],
  ["a first order of 420 USD from an account two days old", first({ accountAgeInDays: 2, orderAmount: 420 })],
  [
    "the same at night",
    first({ accountAgeInDays: 2, orderAmount: 420, orderTimestamp: "2026-11-18T10:20:00Z" }),
  ],
  [
    "the same with an Outlook address",
    first({ accountAgeInDays: 2, orderAmount: 420, customerEmail: "jane.sample@outlook.com" }),
  ],
  ["a first order through a VPN", first({ ipAddress: VPN })],
  ["a first order on a journey", first({ ipAddress: GERMAN_LINE })],
  ["a known customer on a journey overseas", known({ ipAddress: VIETNAM })],
  ["a known customer's expensive gift to another state", known({ shippingAddress: TAMPA, orderAmount: 160 })],
  ["a gift sent abroad", known({ shippingAddress: LONDON })],
  ["a partner's card", first(named("Jane Sample", "jane.sample@gmail.com", "TOM BAKER"))],
  [
    "a partner's card and a nickname as address",
    known(named("Jane Sample", "sunshine77@gmail.com", "TOM BAKER")),
  ],
  ["one gift card for a birthday", first(goods("Gift card", 1, 50))],
  ["two gift cards", known(goods("Gift card", 2, 50))],
  ["a first phone", first(goods("Galaxy S26 smartphone", 1, 620))],
  [
    "an old computer",
    first({
      userAgent:
        "Mozilla/5.0 (Windows NT 6.1; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/109.0.0.0 Safari/537.36",
    }),
  ],
  ["an email relay", first({ customerEmail: "x9k2-qzxt.0f@privaterelay.appleid.com" })],
  [
    "a forwarder, as Brazilians use",
    known({
      billingAddress: SAO_PAULO,
      shippingAddress: {
        ...TAMPA,
        street: "8345 NW 66th St Suite 10423",
        city: "Miami",
        postalCode: "33166",
      },
      ipAddress: "177.32.0.10",
    }),
  ],
  [
    "a soldier",
    first({
      shippingAddress: {
        street: "PSC 1005 Box 42",
        city: "APO",
        state: "AE",
        postalCode: "09128",
        country: "US",
      },
      ipAddress: GERMAN_LINE,
    }),
  ],
  [
    "across a border inside Europe",
    first({ billingAddress: VIENNA, shippingAddress: BERLIN, ipAddress: GERMAN_LINE }),
  ],
  [
    "a Spaniard in Paris",
    first({ billingAddress: MADRID, shippingAddress: PARIS, ipAddress: "79.152.0.10" }),
  ],
  [
    "a company that buys many",
    first({
      companyName: "Sample GmbH",
      customerEmail: "einkauf@sample-gmbh.de",
      ...at(BERLIN),
      ipAddress: GERMAN_LINE,
      ...goods("Notebook 14 inch", 12, 90),
    }),
  ],
  ["a first watch, by its category", first(dear("Zirkon 38", 1, 240)), filedUnder("Jewelry > Watches")],
  [
    "a ring as a gift to another state, from a new account",
    first({ shippingAddress: TAMPA, ...dear("Zirkon ring", 1, 180) }),
    filedUnder("Schmuck > Ringe"),
  ],
  [
    "five cheap items of a category",
    first({ ...dear("Zirkon mini", 5, 20), ipAddress: VPN }),
    filedUnder("Electronics > Computers"),
  ],
  ["phone cases", first({ ...dear("Zirkon shell", 2, 120), ipAddress: VPN }), filedUnder("Phones > Cases")],
  [
    "a known customer's two phones, by their category",
    known(dear("Zirkon 256", 2, 110)),
    filedUnder("Phones"),
  ],
  ["a Canadian", first({ ...at(TORONTO), ipAddress: "24.48.0.1", currency: "CAD" })],
  ["an address mismatch reported by the bank", first(), { avs: "N" }],
  ["a platform that recommends a review", known(), { platformRisk: "investigate" }],
  [
    "a Russian with a card in Latin letters",
    first({
      ...named("Иван Щербаков", "scherbakov.ivan@mail.ru", "IVAN SHCHERBAKOV"),
      ...at(MOSCOW),
      ipAddress: "95.24.0.10",
      currency: "RUB",
      orderAmount: 4_900,
    }),
  ],
  [
    "an Armenian with an address of consonants",
    first({
      ...named("Գագիկ Մկրտչյան", "gmkrtchyan88@mail.ru", "GAGIK MKRTCHYAN"),
      ...at(YEREVAN),
      ipAddress: "37.252.64.10",
      currency: "AMD",
      orderAmount: 21_000,
    }),
  ],
  [
    "a Serb with an address of consonants",
    first({
      ...named("Марко Крстић", "mkrstic@gmail.com", "MARKO KRSTIC"),
      ...at(BEOGRAD),
      ipAddress: "109.92.0.10",
      currency: "RSD",
      orderAmount: 6_200,
    }),
  ],
  [
    "a Georgian with an address of consonants",
    first({
      ...named("თამარ მგვდლიაშვილი", "tmgvdliashvili@gmail.com", "TAMAR MGVDLIASHVILI"),
      ...at(TBILISI),
      ipAddress: "188.169.0.10",
      currency: "GEL",
      orderAmount: 150,
    }),
  ],
  [
    "a Japanese customer, name and card in two scripts",
    first({
      ...named("田中花子", "hanako.t@nifty.com", "HANAKO TANAKA"),
      ...at(TOKYO),
      ipAddress: "126.0.0.10",
      currency: "JPY",
      orderAmount: 9_800,
    }),
  ],
  [
    "an Egyptian, name and card in two scripts",
    first({
      ...named("ياسمين السيد", "yasmine.elsayed@yahoo.com", "YASMINE ELSAYED"),
      ...at(CAIRO),
      ipAddress: "41.32.0.10",
      currency: "EGP",
      orderAmount: 2_900,
    }),
  ],
  [
    "a Namibian",
    first({
      ...at(WINDHOEK),
      ipAddress: "41.182.0.10",
      currency: "NAD",
      orderAmount: 900,
      customerPhone: "+264811234567",
    }),
  ],
  [
    "a Paraguayan",
    first({
      ...at(ASUNCION),
      ipAddress: "181.40.0.10",
      currency: "PYG",
      orderAmount: 450_000,
      customerPhone: "+595981123456",
    }),
  ],
];

/** What thieves do, each recognized by the order alone. */
const FRAUD: readonly (readonly [what: string, order: VerificationRequest, context?: OrderContext])[] = [
  ["a first order through Tor, with nothing else wrong", first({ ipAddress: TOR })],
  ["a known account through Tor", known({ ipAddress: TOR })],
  ["a bot on a known account", known({ userAgent: "python-requests/2.32.3" })],
  [
    "a headless browser",
    first({
      userAgent:
        "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/157.0.0.0 Safari/537.36",
    }),
  ],
  ["a disposable inbox on a known account", known({ customerEmail: "jane.sample@yopmail.com" })],
  ["a disposable inbox", first({ customerEmail: "jane.sample@mailinator.com" })],
  [
    "a random email address, expensive goods",
    first({ customerEmail: "xk9vqtr3@gmail.com", orderAmount: 640 }),
  ],
  ["foreign network, everything else domestic", first({ ipAddress: VIETNAM, orderAmount: 380 })],
  ["foreign network, a phone", first({ ipAddress: VIETNAM, ...goods("iPhone 17 Pro", 1, 140) })],
  ["a takeover: three times as much, foreign network", known({ ipAddress: VIETNAM, orderAmount: 170 })],
  ["a takeover: a new state and five times as much", known({ shippingAddress: TAMPA, orderAmount: 290 })],
  [
    "a takeover: new state, foreign network",
    known({ shippingAddress: TAMPA, ipAddress: VIETNAM, orderAmount: 290 }),
  ],
  ["gift cards drained from a known account", known(goods("Gift card", 10, 50))],
  ["gift cards drained by a new account", first(goods("Steam gift card", 5, 100))],
  ["vouchers in Russian", first(goods("Подарочный сертификат", 6, 80))],
  ["three different names", first(named("Jane Sample", "robert.hill@gmail.com", "MARIA COSTA"))],
  ["a name of random letters", first(named("Xqzt Wvbnkp", "xqzt.wvbnkp@gmail.com"))],
  ["a name of adjacent keys", first(named("asdfgh jkl", "asdfgh@gmail.com", "JANE SAMPLE"))],
  ["a name of adjacent Russian keys", first(named("йцукен фывап", "shop.buyer1@mail.ru", "IVAN PETROV"))],
  ["wrong address and wrong security code", first(), { avs: "N", cvv: "N" }],
  ["a foreign bank, a wrong code", first({ orderAmount: 450 }), { avs: "G", cvv: "N" }],
  ["the platform recommends canceling", first(), { platformRisk: "cancel" }],
  [
    "the platform recommends a review, the bank reports a mismatch",
    first(),
    { platformRisk: "investigate", avs: "N" },
  ],
  ["a server's IP address, expensive goods", first({ ipAddress: "3.80.0.10", orderAmount: 820 })],
  [
    "phones to a forwarder",
    first({
      shippingAddress: { ...TAMPA, street: "Shipito, Suite 10423", city: "Miami", postalCode: "33166" },
      ...goods("iPhone 17 Pro", 2, 900),
    }),
  ],
  [
    "five phones, named only by their category, through a VPN",
    first({ ipAddress: VPN, ...dear("Zirkon 256", 5, 110) }),
    filedUnder("Electronics > Mobile Phones"),
  ],
  [
    "gift cards by another name, drained by a new customer",
    first(dear("Zirkon Wertkarte", 6, 80)),
    filedUnder("Geschenke > Gutscheine"),
  ],
  ["expensive goods shipped abroad", first({ shippingAddress: LONDON, orderAmount: 1_400 })],
  ["most orders canceled or returned", known({ cancelledOrders: 6, returnedOrders: 2, fulfilledOrders: 1 })],
  ["made-up details", first({ ...named("test test", "test@test.com"), customerPhone: "5555555555" })],
  [
    "an expired card, a sequential phone number, expensive goods",
    first({ orderAmount: 900, paymentInfo: { ...HOLDER, expiry: "01/24" }, customerPhone: "1234567890" }),
  ],
];

/** Our own scenarios, honest ones first. */
export const OWN_SCENARIOS: readonly OwnScenario[] = [
  ...HONEST.map(([what, order, context]) => ({
    side: "honest" as const,
    what,
    order,
    ...(context && { context }),
  })),
  ...FRAUD.map(([what, order, context]) => ({
    side: "fraud" as const,
    what,
    order,
    ...(context && { context }),
  })),
];
