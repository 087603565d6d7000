import { readFileSync } from "node:fs";

/** A key and certificate of `test/fixtures/tls`: `service` for localhost, `shop` for every myshopify domain. */
export function readTlsFixture(name: "service" | "shop"): { readonly key: string; readonly cert: string } {
  const prefix = name === "shop" ? "shop-" : "";
  const read = (file: string): string =>
    readFileSync(new URL(`../fixtures/tls/${prefix}${file}.pem`, import.meta.url), "utf8");
  return { key: read("key"), cert: read("cert") };
}

/** Where the service's certificate is, for `NODE_EXTRA_CA_CERTS`. */
export const SERVICE_CA_PATH: string = new URL("../fixtures/tls/cert.pem", import.meta.url).pathname;
