import { randomBytes } from "node:crypto";
import { isSessionToken, readUserId, type EmulatedApp } from "./session-token.ts";

/** How long an offline access token lives, in seconds. */
const ACCESS_SECONDS = 3600;
/** How long a refresh token lives, in seconds: 90 days. */
const REFRESH_SECONDS = 90 * 24 * 3600;

const TOKEN_EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";
const ID_TOKEN = "urn:ietf:params:oauth:token-type:id_token";
const OFFLINE_TOKEN = "urn:shopify:params:oauth:token-type:offline-access-token";
const ONLINE_TOKEN = "urn:shopify:params:oauth:token-type:online-access-token";
const ONLINE_SECONDS = 24 * 3600;

/** A staff member's name, as an online token's answer has it. */
export interface StaffName {
  readonly first_name: string;
  readonly last_name: string;
}

/** What the token endpoint returns. */
export interface IssuedToken {
  readonly access_token: string;
  readonly scope: string;
  readonly expires_in: number;
  readonly refresh_token: string;
  readonly refresh_token_expires_in: number;
}

const STAFF = [
  ["Ada", "Moss"],
  ["Ben", "Ito"],
  ["Robin", "Park"],
  ["Cleo", "Duval"],
  ["Eva", "Lind"],
  ["Femi", "Cole"],
  ["Gus", "Weber"],
  ["Noor", "Haddad"],
] as const;

/** Always the same name for the same person. */
function toStaffName(userId: string): StaffName {
  const [first_name, last_name] = STAFF[Number(userId) % STAFF.length] ?? STAFF[0];
  return { first_name, last_name };
}

/** One answer of the token endpoint. */
export interface TokenAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The form of a request to the token endpoint. */
export type TokenForm = Readonly<Record<string, unknown>>;

/** Whose token: the shop's own, or a staff member's. */
export type TokenMode = "offline" | "online";

interface RefreshToken {
  readonly expiresAtMs: number;
  readonly accessToken: string;
  /** The replacement. This token stays usable until the replacement is used. */
  replacedBy?: string;
}

/** Tokens of one emulated shop, and its token endpoint. */
export class TokenDesk {
  readonly #app: EmulatedApp;
  readonly #shop: string;
  readonly #access = new Map<string, { readonly mode: TokenMode; readonly expiresAtMs: number }>();
  readonly #refresh = new Map<string, RefreshToken>();
  /** Names of staff members by their ID. */
  readonly #staff = new Map<string, StaffName>();

  constructor(app: EmulatedApp, shop: string) {
    this.#app = app;
    this.#shop = shop;
  }

  /** Answer one request to the token endpoint. */
  answer(form: TokenForm): TokenAnswer {
    const secrets = [this.#app.apiSecret, this.#app.apiSecretPrevious];
    if (form["client_id"] !== this.#app.apiKey || !secrets.includes(String(form["client_secret"]))) {
      return refused(400, "invalid_client", "Unknown client or wrong secret");
    }
    if (form["grant_type"] === TOKEN_EXCHANGE) return this.#exchange(form);
    if (form["grant_type"] === "refresh_token") return this.#rotate(String(form["refresh_token"]));
    return refused(400, "unsupported_grant_type", "Unsupported grant type");
  }

  /** Name a staff member. Default: one of a few names. */
  nameStaff(userId: string, name: StaffName): void {
    this.#staff.set(userId, name);
  }

  /** A token pair as if the app had been opened. */
  issue(): IssuedToken {
    const accessToken = this.#issueAccess("offline");
    const refreshToken = `shprt_${randomBytes(16).toString("hex")}`;
    this.#refresh.set(refreshToken, { accessToken, expiresAtMs: this.#app.now() + REFRESH_SECONDS * 1000 });
    return {
      access_token: accessToken,
      scope:
        "write_orders,read_customers,write_merchant_managed_fulfillment_orders,write_third_party_fulfillment_orders",
      expires_in: ACCESS_SECONDS,
      refresh_token: refreshToken,
      refresh_token_expires_in: REFRESH_SECONDS,
    };
  }

  /** An online access token, which must not write risk assessments. */
  issueOnline(): string {
    return this.#issueAccess("online");
  }

  /** Who an access token belongs to; null if it is unknown, expired or revoked. */
  identify(accessToken: string): TokenMode | null {
    const known = this.#access.get(accessToken);
    return known === undefined || known.expiresAtMs <= this.#app.now() ? null : known.mode;
  }

  /** Access tokens stop working; refresh tokens don't. */
  revokeAccess(): void {
    this.#access.clear();
  }

  /** Uninstall: every token stops working. */
  revokeAll(): void {
    this.#access.clear();
    this.#refresh.clear();
  }

  #issueAccess(mode: TokenMode): string {
    const token = `shpat_${randomBytes(16).toString("hex")}`;
    this.#access.set(token, { mode, expiresAtMs: this.#app.now() + ACCESS_SECONDS * 1000 });
    return token;
  }

  #exchange(form: TokenForm): TokenAnswer {
    const type = form["requested_token_type"];
    if (form["subject_token_type"] !== ID_TOKEN || (type !== OFFLINE_TOKEN && type !== ONLINE_TOKEN)) {
      return refused(400, "invalid_request", "Unsupported token type");
    }
    if (type === OFFLINE_TOKEN && String(form["expiring"]) !== "1") {
      return refused(400, "invalid_request", "Non-expiring access tokens are no longer accepted");
    }
    const sessionToken = String(form["subject_token"]);
    if (!isSessionToken(this.#app, this.#shop, sessionToken)) {
      return refused(400, "invalid_subject_token", "The subject token is invalid");
    }
    const body = type === ONLINE_TOKEN ? this.#issueForStaff(readUserId(sessionToken)) : { ...this.issue() };
    return { status: 200, body };
  }

  #issueForStaff(userId: string): TokenAnswer["body"] {
    const name = this.#staff.get(userId) ?? toStaffName(userId);
    return {
      access_token: this.issueOnline(),
      scope: "write_orders",
      expires_in: ONLINE_SECONDS,
      associated_user_scope: "write_orders",
      associated_user: {
        id: Number(userId),
        ...name,
        email: "staff@example.com",
        email_verified: true,
        account_owner: false,
        locale: "en",
        collaborator: false,
      },
    };
  }

  #rotate(token: string): TokenAnswer {
    const known = this.#refresh.get(token);
    if (known === undefined || known.expiresAtMs <= this.#app.now()) {
      return refused(401, "invalid_request", "This request requires an active refresh_token");
    }
    // The first use of a replacement ends the replaced token; a repeat of the replaced token voids the replacement.
    for (const [older, entry] of this.#refresh) if (entry.replacedBy === token) this.#drop(older);
    if (known.replacedBy !== undefined) this.#drop(known.replacedBy);
    this.#access.delete(known.accessToken);
    const issued = this.issue();
    known.replacedBy = issued.refresh_token;
    return { status: 200, body: { ...issued } };
  }

  #drop(token: string): void {
    const known = this.#refresh.get(token);
    if (known !== undefined) this.#access.delete(known.accessToken);
    this.#refresh.delete(token);
  }
}

function refused(status: number, error: string, description: string): TokenAnswer {
  return { status, body: { error, error_description: description } };
}
