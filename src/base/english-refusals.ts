/**
 * Problems of the API that have no text in the console's languages, with their text in English. Closed: anything else that
 * the API says belongs in `src/texts/en/refusals.ts`.
 */
export const ENGLISH_REFUSALS = {
  // Only a program can send these: the console's own script sends valid requests.
  "body-compressed": "The body must not be compressed.",
  "body-not-json": "The body isn't valid JSON.",
  "content-type": "Send the body as application/json.",
  "console-header-missing":
    "Requests with a session cookie that change something need the header X-Holdfast: 1.",
  "method-not-allowed": "Method not allowed. Use {allowed}.",
  "shop-header-missing":
    "You are signed in to several shops. Say in X-Holdfast-Shop which one the request is for.",
  "url-encoding": "The URL is invalid. Check its percent-encoding.",
  "url-invalid": "The URL is invalid.",

  // The console reads without events then, and shows nothing.
  "open-pages-limit": "Too many open pages. Poll instead.",

  // Only a platform sends webhooks.
  "delivery-compressed": "The delivery must not be compressed.",
  "delivery-late": "The body didn't arrive in time.",
  "delivery-not-stored": "The delivery couldn't be stored. Send it again later.",
  "delivery-stopping": "Holdfast is shutting down. Send the delivery again.",
  "delivery-too-large": "The delivery is too large. The limit is {max} bytes.",
  "delivery-unsigned": "The delivery's signature is missing or invalid.",
  "delivery-unusable": "The delivery is signed but can't be processed.",

  // A browser shows this document itself, before there is a console or a language.
  "not-in-admin": "Open this page from the platform's admin.",

  // The console says these in its own texts (`web/texts/*/effects.ts`), with who decided, and when, from `decision`.
  "already-canceled": "the order is already canceled",
  "being-canceled": "the order is being canceled on the platform",
  "being-carried-out": "the order was already {done}, and that is being carried out: try again in a moment",
  "canceled-on-platform": "the order was canceled on the platform",
  "content-erased": "the order's content was erased",
  "content-unreadable": "the order's content can't be read",
  contested: "the order was already {done}: look at it again before you decide otherwise",
  "not-shipped": "the order hasn't shipped: approve or decline it",
  undecided: "the order isn't decided yet: try again in a moment",
  "undo-first": "the order was already {done}, and that can still be undone: undo it first",
  "undo-too-late": "Too late to undo. The decision already took effect.",
} as const;
