import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** How long an offline access token lives, in seconds. */
const ACCESS_SECONDS = 3600;
/** How long a refresh token lives, in seconds: 90 days. */
const REFRESH_SECONDS = 90 * 24 * 3600;
const SESSION_TOKEN_SECONDS = 60;

const TOKEN_EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";
const ID_TOKEN = "urn:ietf:params:oauth:token-type:id_token";
const OFFLINE_TOKEN = "urn:shopify:params:oauth:token-type:offline-access-token";

/** The app as the emulator knows it. */
export interface EmulatedApp {
  readonly apiKey: string;
  readonly apiSecret: string;
  /** Still accepted, as during a rotation. */
  readonly apiSecretPrevious?: string | undefined;
  readonly now: () => number;
}

/** What the token endpoint gives out. */
export interface IssuedToken {
  readonly access_token: string;
  readonly scope: string;
  readonly expires_in: number;
  readonly refresh_token: string;
  readonly refresh_token_expires_in: number;
}

/** One answer of the token endpoint. */
export interface TokenAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Tokens of one emulated shop. */
export interface TokenDesk {
  /** Answer one request to the token endpoint. */
  answer(shop: string, form: Readonly<Record<string, unknown>>): TokenAnswer;
  /** A token pair as if the app had been opened. */
  issue(): IssuedToken;
  /** An online access token, which must not write risk assessments. */
  issueOnline(): string;
  /** Who an access token belongs to; null when it is unknown, expired or revoked. */
  identify(accessToken: string): "offline" | "online" | null;
  /** Uninstall: every token dies. */
  revokeAll(): void;
}

interface RefreshToken {
  readonly expiresAtMs: number;
  readonly accessToken: string;
  /** Given out in its place; this one stays usable until that one is used. */
  replacedBy?: string;
}

/** Create the {@link TokenDesk} of one shop. */
export function createTokenDesk(app: EmulatedApp): TokenDesk {
  const access = new Map<string, { readonly mode: "offline" | "online"; readonly expiresAtMs: number }>();
  const refresh = new Map<string, RefreshToken>();

  function issueAccess(mode: "offline" | "online"): string {
    const token = `shpat_${randomBytes(16).toString("hex")}`;
    access.set(token, { mode, expiresAtMs: app.now() + ACCESS_SECONDS * 1000 });
    return token;
  }

  function issue(): IssuedToken {
    const accessToken = issueAccess("offline");
    const refreshToken = `shprt_${randomBytes(16).toString("hex")}`;
    refresh.set(refreshToken, { accessToken, expiresAtMs: app.now() + REFRESH_SECONDS * 1000 });
    return {
      access_token: accessToken,
      scope: "write_orders,read_customers,write_merchant_managed_fulfillment_orders",
      expires_in: ACCESS_SECONDS,
      refresh_token: refreshToken,
      refresh_token_expires_in: REFRESH_SECONDS,
    };
  }

  function drop(token: string | undefined): void {
    const known = token === undefined ? undefined : refresh.get(token);
    if (token === undefined || known === undefined) return;
    access.delete(known.accessToken);
    refresh.delete(token);
  }

  function rotate(token: string): TokenAnswer {
    const known = refresh.get(token);
    if (known === undefined || known.expiresAtMs <= app.now()) {
      return refused(401, "invalid_request", "This request requires an active refresh_token");
    }
    // First use of a replacement ends the token it replaced; a repeat of the replaced one voids the replacement.
    for (const [older, entry] of refresh) if (entry.replacedBy === token) drop(older);
    drop(known.replacedBy);
    access.delete(known.accessToken);
    const issued = issue();
    known.replacedBy = issued.refresh_token;
    return { status: 200, body: { ...issued } };
  }

  function exchange(shop: string, form: Readonly<Record<string, unknown>>): TokenAnswer {
    if (form["subject_token_type"] !== ID_TOKEN || form["requested_token_type"] !== OFFLINE_TOKEN) {
      return refused(400, "invalid_request", "Unsupported token type");
    }
    if (String(form["expiring"]) !== "1") {
      return refused(400, "invalid_request", "Non-expiring access tokens are no longer accepted");
    }
    if (!isSessionToken(app, shop, String(form["subject_token"]))) {
      return refused(400, "invalid_subject_token", "The subject token is invalid");
    }
    return { status: 200, body: { ...issue() } };
  }

  return {
    answer(shop, form) {
      const secrets = [app.apiSecret, app.apiSecretPrevious];
      if (form["client_id"] !== app.apiKey || !secrets.includes(String(form["client_secret"]))) {
        return refused(400, "invalid_client", "Unknown client or wrong secret");
      }
      if (form["grant_type"] === TOKEN_EXCHANGE) return exchange(shop, form);
      if (form["grant_type"] === "refresh_token") return rotate(String(form["refresh_token"]));
      return refused(400, "unsupported_grant_type", "Unsupported grant type");
    },
    issue,
    issueOnline: () => issueAccess("online"),
    identify(accessToken) {
      const known = access.get(accessToken);
      return known === undefined || known.expiresAtMs <= app.now() ? null : known.mode;
    },
    revokeAll() {
      access.clear();
      refresh.clear();
    },
  };
}

/** What differs from an ordinary session token. */
export interface SessionTokenOptions {
  /** @default a fixed user */
  readonly userId?: string | undefined;
  /** Signs in place of the app's current secret. */
  readonly secret?: string | undefined;
  /** Replaces or removes claims; `undefined` removes. */
  readonly claims?: Readonly<Record<string, unknown>> | undefined;
}

/** A session token as App Bridge would attach to a request of the embedded page. */
export function createSessionToken(
  app: EmulatedApp,
  shop: string,
  options: SessionTokenOptions = {},
): string {
  const seconds = Math.floor(app.now() / 1000);
  const claims = {
    iss: `https://${shop}/admin`,
    dest: `https://${shop}`,
    aud: app.apiKey,
    sub: options.userId ?? "42",
    exp: seconds + SESSION_TOKEN_SECONDS,
    nbf: seconds,
    iat: seconds,
    jti: randomBytes(8).toString("hex"),
    sid: randomBytes(8).toString("hex"),
    ...options.claims,
  };
  const content = `${encode({ alg: "HS256", typ: "JWT" })}.${encode(claims)}`;
  return `${content}.${sign(options.secret ?? app.apiSecret, content).toString("base64url")}`;
}

function isSessionToken(app: EmulatedApp, shop: string, token: string): boolean {
  const [head = "", body = "", signature = ""] = token.split(".");
  const given = Buffer.from(signature, "base64url");
  const secrets = [app.apiSecret, app.apiSecretPrevious].filter((secret) => secret !== undefined);
  const signed = secrets.some((secret) => {
    const expected = sign(secret, `${head}.${body}`);
    return expected.length === given.length && timingSafeEqual(expected, given);
  });
  if (!signed) return false;
  const claims = JSON.parse(Buffer.from(body, "base64url").toString("utf8")) as Record<string, unknown>;
  const expiresAtMs = Number(claims["exp"]) * 1000;
  return claims["aud"] === app.apiKey && claims["dest"] === `https://${shop}` && expiresAtMs > app.now();
}

function sign(secret: string, content: string): Buffer {
  return createHmac("sha256", secret).update(content).digest();
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

function refused(status: number, error: string, description: string): TokenAnswer {
  return { status, body: { error, error_description: description } };
}
