import type { Dispatcher } from "undici";
import type { CredentialStore } from "../../../src/adapter-kit.ts";
import type { Logger } from "../../../src/index.ts";

/**
 * How shops pay for checks with the operator's service key: not at all (`included`), with a plan in Shopify App Pricing
 * (`app-pricing`), or each shop brings its own key (`own-key`).
 */
export type ShopifyBilling =
  | { readonly mode: "included" }
  | { readonly mode: "own-key" }
  /** `appHandle`: the app's handle in the address of its plans page. */
  | { readonly mode: "app-pricing"; readonly appHandle: string };

/** Options of {@link createShopifyPlatform}. */
export interface ShopifyOptions {
  /** The app's client id. */
  readonly apiKey: string;
  /** The app's client secret. */
  readonly apiSecret: string;
  /** Also accepted while you rotate the secret. Tokens are requested with the current one. */
  readonly apiSecretPrevious?: string | undefined;
  /** Where the app is served, e.g. `https://app.example.com`. */
  readonly appUrl: string;
  /** Where the shops' tokens are stored, encrypted. */
  readonly credentials: CredentialStore;
  /**
   * Start merchants' workflows in Shopify Flow for each risk level that was written to an order. The extension in
   * `extensions/flow-trigger` must be deployed with the app.
   *
   * @default false
   */
  readonly flowTrigger?: boolean | undefined;
  /**
   * How shops pay for checks with the operator's service key.
   *
   * @default { mode: "included" }
   */
  readonly billing?: ShopifyBilling | undefined;
  /**
   * Sends every call to Shopify. The caller closes it.
   *
   * @default its own pool, over HTTP/1.1
   */
  readonly dispatcher?: Dispatcher | undefined;
  /** @default Date.now */
  readonly now?: (() => number) | undefined;
  /** @default silent */
  readonly logger?: Logger | undefined;
}
