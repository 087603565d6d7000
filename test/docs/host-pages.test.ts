import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { Stripe } from "stripe";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { createSandboxService, SANDBOX_API_KEY, type SandboxService } from "../../src/testing.ts";
import { startStripeApi } from "../adapters/stripe/stripe-api.ts";
import { readHostPayload } from "../support/host-orders.ts";
import { codeBlocks } from "../support/markdown.ts";
import { anOrder } from "../support/orders.ts";
import { createDatabase } from "../support/postgres-database.ts";

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "holdfast-pages-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface PageRun {
  /** Which of the page's blocks. Default: the first. */
  readonly block?: number;
  /** Runs after the page's code, which it imports as `./page.mjs`. Prints JSON. */
  readonly driver: string;
  /** Code of packages that can't run here. */
  readonly stubs?: Readonly<Record<string, string>>;
  readonly env?: NodeJS.ProcessEnv;
  readonly args?: readonly string[];
}

let service: SandboxService;
let env: NodeJS.ProcessEnv;
beforeEach(async () => {
  service = createSandboxService();
  env = { VERIFY_URL: (await service.listen()).href, VERIFY_API_KEY: SANDBOX_API_KEY };
});
afterEach(async () => await service.close());

/** Run a page's code unchanged, together with the driver; returns what the driver prints. */
async function runPage(page: string, options: PageRun): Promise<unknown> {
  const code = codeBlocks(readFileSync(`docs/hosts/${page}.md`, "utf8"), "js")[options.block ?? 0] ?? "";
  // A new process on a slow machine needs longer for its first call than a shop's customer would wait.
  writeFileSync(join(folder, "page.mjs"), code.replaceAll(/deadlineMs: \d{4}\b/g, "deadlineMs: 60_000"));
  const driver = join(folder, "driver.mjs");
  writeFileSync(driver, options.driver);
  const hooks = join(process.cwd(), "test/docs/page-hooks.child.ts");
  const { stdout } = await run(process.execPath, ["--import", hooks, ...(options.args ?? []), driver], {
    env: { ...process.env, ...env, ...options.env, STUBS: JSON.stringify(options.stubs ?? {}) },
  });
  return JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
}

const print = (value: string): string => `console.log(JSON.stringify(${value}));`;

describe("the code of a host's page", () => {
  it("observability: a screener with telemetry, which also works without an SDK", async () => {
    const order = anOrder({ customerEmail: "low@risk.example" });

    const status = await runPage("../observability", {
      driver: `
        import { screener } from "./page.mjs";
        const { status } = await screener.check(${JSON.stringify(order)});
        await screener.close();
        ${print("status")}`,
    });

    expect(status).toBe("verified");
  });

  it("late-answers: a pending order waits, and follows the late decision", async () => {
    const slow = anOrder({ orderId: "slow", customerEmail: "slow-1500@risk.example" });
    const critical = anOrder({ orderId: "critical", customerEmail: "critical@risk.example" });

    const states = await runPage("late-answers", {
      driver: `
        import { orders, placeOrder, screener } from "./page.mjs";
        const late = new Promise((resolve) => screener.on("decision", (event) => event.late && resolve()));
        const first = await placeOrder(${JSON.stringify(slow)});
        await late;
        const then = orders.get("slow").state;
        const { status } = await screener.check(${JSON.stringify(critical)});
        ${print("[first, then, status, await placeOrder(" + JSON.stringify(critical) + ")]")}
        await screener.close();`,
    });

    expect(states).toEqual(["checking", "placed", "verified", "canceled"]);
  });

  it("serverless: a store that instances share, with the key that the page's command creates", async () => {
    const page = readFileSync("docs/hosts/serverless.md", "utf8");
    const [command = ""] = codeBlocks(page, "sh");
    const { stdout: key } = await run("sh", [
      "-c",
      command.replace("node", JSON.stringify(process.execPath)),
    ]);
    const database = await createDatabase();
    const order = anOrder({ customerEmail: "low@risk.example" });
    const options = {
      driver: `
        import { screener, store } from "./page.mjs";
        const { status } = await screener.check(${JSON.stringify(order)});
        ${print("status")}
        await screener.close();
        await store.close();`,
      env: { DATABASE_URL: database.url, DATA_KEY: key.trim() },
    };

    try {
      expect(await runPage("serverless", options)).toBe("verified");
      expect(await runPage("serverless", options)).toBe("cached");
      expect(service.calls).toHaveLength(1);
    } finally {
      await database.drop();
    }
  });

  it("testing: a test of Node's runner passes, and your own screener answers", async () => {
    const code = codeBlocks(readFileSync("docs/hosts/testing.md", "utf8"), "js")[0] ?? "";
    const file = join(folder, "page.test.mjs");
    writeFileSync(file, code);
    const hooks = join(process.cwd(), "test/docs/page-hooks.child.ts");

    const { stdout } = await run(process.execPath, ["--import", hooks, "--test-reporter", "tap", file], {
      // A test run inside a test run.
      env: { ...process.env, NODE_TEST_CONTEXT: undefined },
    });

    expect(stdout).toContain("ok 1 - a critical order is refused, and paid for once");
    expect(stdout).toContain("# fail 0");
    const driver = `import { screener } from "./page.mjs"; ${print("(await screener.check()).action")}`;
    expect(await runPage("testing", { block: 3, driver })).toBe("hold");
  });

  it("platforms: a PayPal order with the shop's data, and a shop's own row", async () => {
    const paypal = JSON.stringify(readHostPayload("paypal-order"));
    const checked = await runPage("platforms", {
      driver: `
        import { checkPayPal } from "./page.mjs";
        const { status } = await checkPayPal(${paypal}, { ip: "203.0.113.7" }, { orders: 3 });
        ${print("status")}`,
    });
    const row = {
      id: 7,
      total_cents: 5990,
      currency: "JPY",
      name: "Ada",
      email: "ada@example.com",
      orders_before: 0,
    };
    const place = { street: "1 Main St", city: "Austin", zip: "78701", country: "us" };
    const mapped = await runPage("platforms", {
      block: 1,
      driver: `import { toOrder } from "./page.mjs"; ${print(`toOrder(${JSON.stringify({ ...row, ...place })})`)}`,
    });

    expect(checked).toBe("degraded");
    expect(mapped).toMatchObject({
      orderId: "7",
      orderAmount: 5990,
      shippingAddress: { country: "US", state: "N/A" },
    });
  });

  it("evershop: the rule refuses a critical cart and no other", async () => {
    const cart = readHostPayload("evershop-cart");
    const refuses = (email: string) =>
      runPage("evershop", {
        // EverShop itself is tested by hand: it takes minutes to build.
        stubs: {
          "@evershop/evershop/checkout/services":
            "export const addOrderValidationRule = (rule) => { globalThis.rule = rule; };",
        },
        driver: `
          import bootstrap from "./page.mjs";
          bootstrap();
          const { id, func } = globalThis.rule;
          ${print(`[id, await func(${JSON.stringify({ ...cart, customer_email: email })})]`)}
          process.exit();`,
      });

    expect(await refuses("low@risk.example")).toEqual(["fraudCheck", true]);
    expect(await refuses("critical@risk.example")).toEqual(["fraudCheck", false]);
  });

  it("next: the route handler places an order and refuses another", async () => {
    const stubs = { "next/server": "export const after = () => {};" };
    const screener = codeBlocks(readFileSync("docs/hosts/next.md", "utf8"), "js")[0] ?? "";
    const place = (email: string) => {
      const order = JSON.stringify({ cart: "7", ...anOrder({ customerEmail: email }) });
      // The page's route is two folders below the screener.
      return runPage("next", {
        block: 1,
        stubs: { ...stubs, "../../screener.js": screener },
        driver: `
          import { POST } from "./page.mjs";
          const request = new Request("http://shop/orders", { method: "POST", body: ${JSON.stringify(order)} });
          const response = await POST(request, {});
          ${print("[response.status, (await response.json()).state]")}
          process.exit();`,
      });
    };

    expect(await place("high@risk.example")).toEqual([201, "in review"]);
    expect(await place("critical@risk.example")).toEqual([403, null]);
  });
});

describe("the code of the Stripe page", () => {
  const secret = "whsec_1";
  /** An event about the payment `pi_1`, as Stripe signs it. */
  const sign = (type: string, object: object) => {
    const data = { object: { ...object, payment_intent: "pi_1" } };
    const payload = JSON.stringify({ id: "evt_1", object: "event", type, data });
    return {
      payload,
      signature: new Stripe("sk_test_1").webhooks.generateTestHeaderString({ payload, secret }),
    };
  };
  const completed = sign("checkout.session.completed", { id: "cs_test_a1", object: "checkout.session" });
  const closed = sign("review.closed", { id: "prv_pi_1", object: "review", open: false, reason: "approved" });

  it.each([
    ["captures the payment of a signed event once", false, ["send(completed)"]],
    ["captures a payment in review once Stripe's review is approved", true, ["approve()", "send(closed)"]],
  ] as const)("runs, and %s", async (_title, isReviewed, then) => {
    const api = await startStripeApi();
    api.authorize("pi_1");
    if (isReviewed) api.openReview("pi_1");
    // The page's client calls Stripe; here it gets a local address. Express listens on any free port.
    const stripe = `
      import real from ${JSON.stringify(pathToFileURL(createRequire(import.meta.url).resolve("stripe")).href)};
      const session = ${JSON.stringify(readHostPayload("stripe-session"))};
      export class Stripe {
        constructor(key) {
          const client = new real(key, { host: "127.0.0.1", port: ${api.port}, protocol: "http" });
          this.paymentIntents = client.paymentIntents;
          this.webhooks = client.webhooks;
          const found = { ...session, customer_details: { ...session.customer_details, email: "low@risk.example" } };
          this.checkout = { sessions: { list: async (query) => ({ data: query.payment_intent === "pi_1" ? [found] : [] }) } };
          globalThis.approve = async () => await client.reviews.approve("prv_pi_1");
        }
      }`;

    const statuses = await runPage("stripe", {
      stubs: { stripe },
      env: { PORT: "0", STRIPE_KEY: "sk_test_1", STRIPE_WEBHOOK_SECRET: secret },
      driver: `
        import http from "node:http";
        const listen = http.Server.prototype.listen;
        const listening = new Promise((resolve) => {
          http.Server.prototype.listen = function (...args) {
            this.once("listening", () => resolve(this.address().port));
            return listen.apply(this, args);
          };
        });
        await import("./page.mjs");
        const url = "http://127.0.0.1:" + (await listening) + "/stripe";
        const [completed, closed] = ${JSON.stringify([completed, closed])};
        const send = async ({ payload, signature }) => {
          const headers = { "content-type": "application/json", "stripe-signature": signature };
          const { status } = await fetch(url, { method: "POST", headers, body: payload });
          return status;
        };
        const answers = await Promise.all([send(completed), send(completed), send(completed)]);
        ${then.map((step) => `answers.push(await ${step});`).join("\n")}
        ${print("answers.filter((answer) => typeof answer === 'number')")}
        process.exit();`,
    });

    expect(statuses).toEqual([200, 200, 200, 200]);
    expect(api.calls.map(({ action }) => action)).toEqual(["capture"]);
    expect(service.calls).toHaveLength(1);
  });
});
