import { at, basket, gather, member, named, NEWCOMER, placeIn, to, type Gathering } from "./members.ts";

interface Firm {
  readonly code: string;
  readonly company: string;
  readonly buyer: string;
  readonly mail: string;
  readonly holder?: string;
  readonly goods: readonly [name: string, quantity: number, usd: number];
  /** Delivered to another place than it's billed in. */
  readonly branch?: number;
  readonly isKnown?: true;
  readonly isB2b?: true;
}

function firm(what: string, one: Firm): Gathering {
  const { code, company, buyer, mail, holder = buyer, goods, branch } = one;
  const office = placeIn(code, 0, "Floor 3, 88 Market Street");
  return gather(
    what,
    { code, circle: "company", ...(one.isB2b && { context: { companyOrder: true } }) },
    () =>
      member(
        code,
        5,
        one.isKnown ? {} : NEWCOMER,
        basket(code, ...goods),
        at(office),
        branch === undefined ? {} : to(placeIn(code, branch, "9 Harbor Way")),
        named(buyer, mail, holder),
        { companyName: company },
      ),
  );
}

/** Companies that buy for their staff, their customers and their branches. */
export const COMPANIES: readonly Gathering[] = [
  firm("laptops for a team", {
    code: "US",
    company: "Larkspur Design Inc",
    buyer: "Ashley Kim",
    mail: "ashley@larkspurdesign.com",
    goods: ["Laptop 14 inch", 6, 980],
  }),
  firm("gift cards for the staff", {
    code: "US",
    company: "Brookfield Dental",
    buyer: "Maria Garcia",
    mail: "office@brookfielddental.com",
    goods: ["Gift card", 25, 50],
  }),
  firm("laptops on the company's card", {
    code: "GB",
    company: "Hartwell & Sons Ltd",
    buyer: "Harry Jones",
    mail: "harry@hartwellandsons.co.uk",
    holder: "Hartwell Sons Ltd",
    goods: ["Laptop 15 inch", 4, 860],
  }),
  firm("vouchers for customers", {
    code: "DE",
    company: "Bergmann Optik GmbH",
    buyer: "Lena Hoffmann",
    mail: "einkauf@bergmann-optik.de",
    goods: ["Geschenkgutschein", 30, 25],
  }),
  firm("phones for a sales team", {
    code: "FR",
    company: "Vallier Conseil SARL",
    buyer: "Chloé Martin",
    mail: "chloe.martin@vallier-conseil.fr",
    goods: ["Galaxy S26 smartphone", 5, 720],
  }),
  firm("monitors to a branch in another region", {
    code: "US",
    company: "Tidewater Surveying LLC",
    buyer: "Hannah Schwartz",
    mail: "hannah@tidewatersurveying.com",
    goods: ["Monitor 27 inch", 8, 260],
    branch: 2,
  }),
  firm("laptops of a company known by its brand", {
    code: "CA",
    company: "1184227 Ontario Inc",
    buyer: "Emma Roy",
    mail: "emma@maplebranch.ca",
    goods: ["Laptop 14 inch", 3, 940],
  }),
  firm("tablets for a restaurant on a free mailbox", {
    code: "ES",
    company: "Casa Ortega SL",
    buyer: "Andrés Ortega",
    mail: "casaortega.sl@gmail.com",
    goods: ["Tablet 11 inch", 4, 380],
  }),
  firm("a registered buyer's laptops", {
    code: "NL",
    company: "Zuiderlicht BV",
    buyer: "Femke Bakker",
    mail: "inkoop@zuiderlicht.nl",
    goods: ["Laptop 14 inch", 12, 890],
    isB2b: true,
  }),
  firm("a registered buyer's gift cards to a branch", {
    code: "US",
    company: "Pinecrest Foods Inc",
    buyer: "Michael Johnson",
    mail: "mjohnson@pinecrestfoods.com",
    goods: ["Gift card", 40, 25],
    branch: 1,
    isB2b: true,
  }),
  firm("headphones for a call center", {
    code: "PL",
    company: "Nowak Serwis sp. z o.o.",
    buyer: "Ewa Nowak",
    mail: "biuro@nowakserwis.pl",
    goods: ["Headphones", 20, 75],
  }),
  firm("laptops for a school", {
    code: "AU",
    company: "Banksia Primary School",
    buyer: "Matilda Kelly",
    mail: "mkelly@banksiaps.nsw.edu.au",
    goods: ["Laptop 13 inch", 15, 520],
  }),
  firm("gift cards of a known company", {
    code: "GB",
    company: "Fenwick Logistics",
    buyer: "Amelia Wright",
    mail: "amelia@fenwicklogistics.co.uk",
    goods: ["Gift card", 10, 50],
    isKnown: true,
  }),
  firm("cameras for an agency", {
    code: "BR",
    company: "Ferreira Filmes Ltda",
    buyer: "João Ferreira",
    mail: "joao@ferreirafilmes.com.br",
    goods: ["Mirrorless camera", 2, 1_250],
  }),
  firm("tools of a registered buyer to a building site", {
    code: "DE",
    company: "Bauwerk Nord GmbH",
    buyer: "Maximilian Köhler",
    mail: "m.koehler@bauwerk-nord.de",
    goods: ["Akkuschrauber", 8, 190],
    branch: 3,
    isB2b: true,
  }),
  firm("laptops of a registered buyer to a branch", {
    code: "US",
    company: "Alder Ridge Clinics",
    buyer: "Mei Washington",
    mail: "mwashington@alderridge.org",
    goods: ["Laptop 14 inch", 5, 910],
    branch: 4,
    isB2b: true,
  }),
  firm("printers to a branch", {
    code: "GB",
    company: "Oakmere Lettings Ltd",
    buyer: "Isla Hughes",
    mail: "isla@oakmerelettings.co.uk",
    goods: ["Laser printer", 3, 240],
    branch: 1,
  }),
  firm("coffee for a hotel's other house", {
    code: "ES",
    company: "Hoteles Brisa SL",
    buyer: "Carmen Puig",
    mail: "compras@hotelesbrisa.es",
    goods: ["Café en grano 1 kg", 40, 22],
    branch: 2,
  }),
  firm("gift cards of an agency on a free mailbox", {
    code: "US",
    company: "Schwartz Realty",
    buyer: "Hannah Schwartz",
    mail: "hannah.schwartz.realty@gmail.com",
    goods: ["Gift card", 4, 25],
  }),
  firm("a bakery's mixer on the owner's mailbox", {
    code: "FR",
    company: "Boulangerie Petit",
    buyer: "Zoé Petit",
    mail: "zoe.petit@orange.fr",
    goods: ["Batteur planétaire", 1, 640],
  }),
  firm("phones of a taxi firm on a free mailbox", {
    code: "GB",
    company: "Patel Cars",
    buyer: "Priya Patel",
    mail: "patelcars@outlook.com",
    goods: ["Android smartphone", 3, 180],
  }),
  firm("tablets for a kindergarten", {
    code: "NL",
    company: "Kinderdagverblijf De Egel",
    buyer: "Lotte Schaap",
    mail: "lotte@kdv-de-egel.nl",
    goods: ["Tablet 10 inch", 6, 210],
  }),
  firm("laptops of a company with another domain", {
    code: "SE",
    company: "Nyström Invest AB",
    buyer: "Nils Nyström",
    mail: "nils@fjordhem.se",
    goods: ["Laptop 14 inch", 4, 870],
  }),
  firm("vouchers for a jubilee", {
    code: "FR",
    company: "Moreau Transports",
    buyer: "Inès Moreau",
    mail: "direction@moreau-transports.fr",
    goods: ["Carte cadeau", 15, 50],
  }),
  firm("shirts for a restaurant's staff", {
    code: "MX",
    company: "Taquería Núñez",
    buyer: "Sofía Núñez",
    mail: "taquerianunez@gmail.com",
    goods: ["Camisa", 18, 24],
  }),
  firm("a law office's monitors", {
    code: "CA",
    company: "Campbell Wong LLP",
    buyer: "Liam Campbell",
    mail: "lcampbell@campbellwong.ca",
    goods: ["Monitor 27 inch", 6, 310],
    holder: "Campbell Wong LLP",
  }),
  firm("a startup's laptops in India", {
    code: "IN",
    company: "Khan Analytics Pvt Ltd",
    buyer: "Ananya Iyer",
    mail: "ananya@khananalytics.in",
    goods: ["Laptop 14 inch", 5, 620],
  }),
  firm("a known company's laptops", {
    code: "AU",
    company: "Kelly Surveys Pty",
    buyer: "Lachlan Kelly",
    mail: "lachlan@kellysurveys.com.au",
    goods: ["Laptop 15 inch", 2, 990],
    isKnown: true,
  }),
  firm("a parish's candles", {
    code: "PL",
    company: "Parafia św. Anny",
    buyer: "Zofia Nowak",
    mail: "parafia.anny@onet.pl",
    goods: ["Świeca", 40, 9],
  }),
  firm("a museum's gift cards for volunteers", {
    code: "US",
    company: "Harbor Museum",
    buyer: "José Garcia",
    mail: "volunteers@harbormuseum.org",
    goods: ["Gift card", 12, 25],
  }),
  firm("cameras for a newspaper's bureau", {
    code: "IT",
    company: "Gazzetta Riviera Srl",
    buyer: "Chiara Bianchi",
    mail: "redazione@gazzettariviera.it",
    goods: ["Fotocamera mirrorless", 2, 1_100],
    branch: 1,
  }),
  firm("a dentist's gloves", {
    code: "BR",
    company: "Clínica Souza",
    buyer: "Vitória Souza",
    mail: "vitoria@clinicasouza.com.br",
    goods: ["Luvas", 20, 18],
  }),
  firm("a webshop's headphones for testers", {
    code: "DE",
    company: "Goldschmidt Audio OHG",
    buyer: "Hannah Goldschmidt",
    mail: "hannah@goldschmidt-audio.de",
    goods: ["Kopfhörer", 10, 130],
  }),
  firm("chairs for an office", {
    code: "SE",
    company: "Krantz Arkitekter AB",
    buyer: "Ebba Krantz",
    mail: "ebba@krantzarkitekter.se",
    holder: "Krantz Arkitekter AB",
    goods: ["Office chair", 14, 310],
  }),
];
