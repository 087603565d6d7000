import { toSlug } from "./records.ts";

interface SandboxAttribute {
  readonly slug: string;
  readonly name: string;
  readonly type: "text" | "html" | "number" | "boolean" | "select" | "multiselect";
}

/** The six attributes of an organization without its own (the interface, "Default category attributes"). */
const CATEGORY_ATTRIBUTES: readonly SandboxAttribute[] = [
  { slug: "page_title", name: "Page Title", type: "text" },
  { slug: "meta_description", name: "Meta Description", type: "text" },
  { slug: "meta_keywords", name: "Meta Keywords", type: "text" },
  { slug: "description", name: "Description", type: "html" },
  { slug: "slug", name: "URL Slug", type: "text" },
  { slug: "focus_keywords", name: "Focus Keywords", type: "text" },
];
const BRAND_ATTRIBUTES: readonly SandboxAttribute[] = [
  { slug: "summary", name: "Summary", type: "text" },
  { slug: "story", name: "Story", type: "html" },
  { slug: "founded", name: "Founded", type: "number" },
  { slug: "sells_direct", name: "Sells Direct", type: "boolean" },
  { slug: "markets", name: "Markets", type: "multiselect" },
];
const PRODUCT_ATTRIBUTES: readonly SandboxAttribute[] = [
  { slug: "description", name: "Description", type: "html" },
  { slug: "material", name: "Material", type: "select" },
  { slug: "weight_grams", name: "Weight (g)", type: "number" },
  { slug: "waterproof", name: "Waterproof", type: "boolean" },
  { slug: "colors", name: "Colors", type: "multiselect" },
];

function toSet(name: string, prefix: string, attributes: readonly SandboxAttribute[]) {
  return {
    id: `set_${prefix}`,
    name,
    attributeSetAttributes: attributes.map(({ slug, name: label, type }, order) => ({
      order,
      attribute: {
        id: prefix === "categories" ? `default_${slug}` : `${prefix}_${slug}`,
        name: label,
        slug,
        type,
        prompt: `Made up by the sandbox: ${label}`,
        ...(prefix === "products" ? { categoryPrompt: null } : {}),
        isActive: true,
      },
    })),
  };
}

/** The attribute sets of every organization. */
export const ATTRIBUTE_SETS = {
  products: toSet("Products", "products", PRODUCT_ATTRIBUTES),
  brands: toSet("Brands", "brands", BRAND_ATTRIBUTES),
  categories: toSet("Categories", "categories", CATEGORY_ATTRIBUTES),
} as const;

/** A number that depends only on the text. */
export function toDigest(text: string): number {
  let digest = 2_166_136_261;
  for (const character of text)
    digest = Math.imul(digest ^ (character.codePointAt(0) ?? 0), 16_777_619) >>> 0;
  return digest;
}

const CHOICES = ["cotton", "steel", "oak", "glass", "wool"] as const;

/** The words of a category's last level, at most three. */
function toKeyword(category: string): string {
  const level = category.split(" > ").at(-1) ?? "";
  const found = level.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ["products"];
  return found
    .slice(0, 3)
    .map((word) => word.slice(0, 14))
    .join(" ");
}

/** Values of the default category attributes, which have rules (the interface, "Default category attributes"). */
function toCategoryValues(category: string): Readonly<Record<string, string>> {
  const keyword = toKeyword(category);
  const title = keyword.replaceAll(/(?<=^| )./gu, (letter) => letter.toUpperCase());
  const sentences = Array.from(
    { length: 14 },
    (_, index) => `<p>Sentence ${index + 1} about ${keyword} was made up by the sandbox, for a test.</p>`,
  );
  const latin = toSlug(keyword)
    .split("-")
    .filter((word) => word !== "");
  return {
    page_title: `${title} Made Up`,
    meta_description: `${title} for every day: made up by the sandbox.`,
    meta_keywords: ["", " online", " shop", " made up", " sandbox"].map((end) => keyword + end).join(", "),
    description: `<div><h2>${title}</h2>${sentences.join("")}<ul><li>made up by the sandbox</li></ul></div>`,
    slug: [...latin, "made", "up", "sandbox"].slice(0, Math.max(3, Math.min(5, latin.length + 2))).join("-"),
    focus_keywords: keyword,
  };
}

function toValue({ slug, name, type }: SandboxAttribute, subject: string): unknown {
  const digest = toDigest(`${subject}/${slug}`);
  const pick = (offset: number) => CHOICES[(digest + offset) % CHOICES.length];
  const values: Readonly<Record<typeof type, unknown>> = {
    number: digest % 1_000,
    boolean: digest % 2 === 0,
    select: pick(0),
    multiselect: [pick(0), pick(1)],
    html: `<div><h2>${escapeHtml(subject)}</h2><ul><li>made up by the sandbox</li></ul></div>`,
    text: `${name} of ${subject} (made up by the sandbox)`,
  };
  return values[type];
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** Made-up values of a set's attributes, always the same for a subject. They say that they're made up. */
export function inventAttributes(set: keyof typeof ATTRIBUTE_SETS, subject: string) {
  const ruled = set === "categories" ? toCategoryValues(subject) : undefined;
  return Object.fromEntries(
    ATTRIBUTE_SETS[set].attributeSetAttributes.map(({ attribute }) => [
      attribute.slug,
      {
        attributeId: attribute.id,
        attributeName: attribute.name,
        attributeType: attribute.type,
        value: ruled?.[attribute.slug] ?? toValue(attribute, subject),
      },
    ]),
  );
}
