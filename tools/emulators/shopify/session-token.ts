import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** How long a session token lives, in seconds. */
const SESSION_TOKEN_SECONDS = 60;

/** The app as the emulator has it. */
export interface EmulatedApp {
  readonly apiKey: string;
  readonly apiSecret: string;
  /** Still accepted, as during a rotation. */
  readonly apiSecretPrevious?: string | undefined;
  readonly now: () => number;
}

/** Differences from an ordinary session token. */
export interface SessionTokenOptions {
  /** @default a fixed user */
  readonly userId?: string | undefined;
  /** Signs instead of the app's current secret. */
  readonly secret?: string | undefined;
  /** Replaces claims; `undefined` leaves one out. */
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

/** Whether `token` is a session token of this app and shop that has not expired. */
export function isSessionToken(app: EmulatedApp, shop: string, token: string): boolean {
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

/** The user of a session token that was checked. */
export function readUserId(token: string): string {
  const body = Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8");
  return String((JSON.parse(body) as Record<string, unknown>)["sub"]);
}

function sign(secret: string, content: string): Buffer {
  return createHmac("sha256", secret).update(content).digest();
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
