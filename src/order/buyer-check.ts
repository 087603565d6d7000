/** The ways in which a buyer can show that an order is theirs, in the order in which the buyer sees them. */
export const BUYER_CHECK_METHODS = ["earlier-address", "card-code", "evidence"] as const;
/** One of {@link BUYER_CHECK_METHODS}. */
export type BuyerCheckMethod = (typeof BUYER_CHECK_METHODS)[number];

/** What a right answer does: it releases the hold, or it leaves the order to a person as one level milder. */
export const RIGHT_ANSWERS = ["release", "milder"] as const;
/** One of {@link RIGHT_ANSWERS}. */
export type RightAnswer = (typeof RIGHT_ANSWERS)[number];

/** `wrong`: another code, or "this isn't my order". `for-person`: a reviewer has to look at it. */
export const BUYER_ANSWERS = ["right", "wrong", "for-person"] as const;
/** One of {@link BUYER_ANSWERS}. */
export type BuyerAnswer = (typeof BUYER_ANSWERS)[number];

/** Why a buyer isn't asked in one of the ways. */
export const UNOFFERED_REASONS = [
  /** The policy leaves it out. */
  "not-chosen",
  /** There is no earlier order of this customer that counts. */
  "no-earlier-order",
  /** There is one, but its addresses were erased. */
  "no-earlier-address",
  "platform-cannot",
  "not-a-card",
  "no-payment",
  /** More than one card was tried, so it isn't known whose the order is. */
  "several-cards",
  /** The card can't be used again, because it wasn't saved. */
  "card-not-saved",
  "not-configured",
  "already-used",
  "try-again-later",
  "storage-full",
] as const;
/** One of {@link UNOFFERED_REASONS}. */
export type UnofferedReason = (typeof UNOFFERED_REASONS)[number];

/** The languages of the buyer's page, as in `lang` attributes. */
export const BUYER_LANGUAGES = ["en", "de", "fr", "es", "pt-BR", "ja", "zh-CN"] as const;
/** One of {@link BUYER_LANGUAGES}. */
export type BuyerLanguage = (typeof BUYER_LANGUAGES)[number];

/** How the buyer gets the link. `reviewer`: somebody copies it in the console. `none`: there is nothing to send. */
export const LINK_ROUTES = ["email", "webhook", "reviewer", "none"] as const;
/** One of {@link LINK_ROUTES}. */
export type LinkRoute = (typeof LINK_ROUTES)[number];

/** How many times one order's buyer may be asked, as the order changes. */
export const MOST_ASKED = 3;
/** How many answers one link takes that don't settle it, such as a mistyped code. */
export const MOST_TRIES = 5;

/** Kinds of files that a buyer may send. A file is recognized by its content, never by its name or by what the sender says. */
export const BUYER_FILE_TYPES = [
  "image/jpeg",
  "image/png",
  "image/webp",
  "image/heic",
  "application/pdf",
] as const;
/** One of {@link BUYER_FILE_TYPES}. */
export type BuyerFileType = (typeof BUYER_FILE_TYPES)[number];
