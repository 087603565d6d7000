import { describe, expect, it, type TestContext } from "vitest";
import { startMailServer, type ReceivedMail } from "../alerts/mail-server.ts";
import type { CommitFault } from "../support/commit-faults.child.ts";
import { createSqliteQuery } from "../support/crash-campaign.ts";
import { createCrashStage, type CrashStage } from "../support/crash-stage.ts";
import type { FaultyApp } from "../support/faulty-app.ts";
import type { RequestFault } from "../support/request-faults.ts";
import { toShopOrder } from "../support/shop-orders.ts";
import { until } from "../support/until.ts";

const SHOP = "kettle.myshopify.com";
const DAY_MS = 86_400_000;
/** For fifty starts of the app, on a machine that needs ten seconds for each. */
const PATIENCE_MS = 900_000;
/** With this variable set, it also dies before each request: that leaves the same as at the commit before. */
const IS_EVERY = (process.env["CRASH_EVERY"] ?? "") !== "";
const SIDES = ["before", "after"] as const;
/** Many more steps than there are: an app that dies at each of its steps would never come to an end. */
const MOST_STEPS = 40;
/** A process that is killed resets its connections at once. */
const ANSWER_MS = 60_000;
const POLICY = { levels: { high: { action: "hold", verify: "release" } } };
const CARD = { company: "Visa", number: "•••• •••• •••• 4242", name: "Jane", expirationMonth: 12 };
/** The address of the customer's earlier order: who wrote the later ones knows another. */
const EARLIER = "low@risk.example";

/** Where the process dies: while it asks a buyer, or from the buyer's answer on. */
type Fault =
  | ({ readonly phase: "ask" | "answer"; readonly place: "commit" } & CommitFault)
  | ({ readonly phase: "answer"; readonly place: "request" } & RequestFault)
  | { readonly phase: "ask"; readonly place: "mail" };

interface Asked {
  readonly stage: CrashStage;
  readonly app: FaultyApp;
  readonly mails: readonly ReceivedMail[];
  /** Where a process died. */
  readonly kills: string[];
  /** Have the process die once the mail server took the next message, before it says so. */
  readonly armMail: () => void;
  number: number;
}

/** A shop that asks buyers. Its customer has an earlier order that went well. */
async function open({ onTestFinished }: TestContext): Promise<Asked> {
  const stage = await createCrashStage();
  onTestFinished(() => stage.close());
  const state = { isMailArmed: false };
  const mails: ReceivedMail[] = [];
  async function confirm(isFatal: boolean, done: () => void): Promise<void> {
    if (isFatal) await app.kill();
    done();
  }
  const server = await startMailServer(
    {
      onData(stream, { envelope }, done) {
        const chunks: Buffer[] = [];
        stream.on("data", (chunk: Buffer) => chunks.push(chunk));
        stream.on("end", () => {
          const to = envelope.rcptTo.map(({ address }) => address);
          mails.push({ from: "", to, secure: true, user: undefined, raw: Buffer.concat(chunks).toString() });
          const isFatal = state.isMailArmed;
          state.isMailArmed = false;
          void confirm(isFatal, done);
        });
      },
    },
    onTestFinished,
  );
  const app = await stage.addApp({
    environment: {
      SMTP_URL: `smtp://alerts:right@localhost:${server.port}`,
      ALERT_EMAIL_FROM: "holdfast@shop.example",
      ALERT_EMAIL_TO: "operator@shop.example",
    },
  });
  await app.start();
  await app.install(SHOP, POLICY);
  const asked: Asked = { stage, app, mails, kills: [], armMail: () => (state.isMailArmed = true), number: 0 };
  const orderId = await place(asked, EARLIER, 40);
  await until(async () => (await app.order(SHOP, orderId))?.state === "settled");
  return asked;
}

/** An order of the one customer, by the card that all of them are paid with, and everything else its own. */
async function place(asked: Asked, email: string, daysAgo: number): Promise<string> {
  const { stage, app } = asked;
  const number = (asked.number += 1);
  const at = new Date(Date.now() - daysAgo * DAY_MS).toISOString();
  const address = { first_name: "Jane", last_name: "Example", zip: "10118", city: "New York" };
  const street = {
    ...address,
    address1: `${number} Example Street`,
    country_code: "US",
    province_code: "NY",
  };
  const payload = {
    created_at: at,
    processed_at: at,
    updated_at: at,
    browser_ip: `198.51.100.${number}`,
    billing_address: street,
    shipping_address: street,
    customer: { id: 77, admin_graphql_api_id: "gid://shopify/Customer/77", first_name: "Jane" },
  };
  const order = toShopOrder(number, { email, amount: 120, payload });
  const { orderId, body } = order;
  const transactions = [{ card: { ...CARD, expirationYear: 2099 } }];
  stage.emulator.shop(SHOP).addOrder({ orderId, routed: 1, payload: body, transactions });
  expect(await app.deliver({ shop: SHOP, topic: "orders/create", body, webhookId: `w-${number}` })).toBe(
    true,
  );
  return orderId;
}

/** Have a held order's buyer asked, and answer, with a process that dies at one step. Resolves to whether it died. */
async function dieAt(asked: Asked, fault: Fault): Promise<boolean> {
  const { app, stage, kills } = asked;
  const sent = asked.mails.length;
  if (fault.phase === "ask") await arm(asked, fault);
  const orderId = await place(asked, `score-${61 + (asked.number % 25)}@risk.example`, 0);
  const isTrue = async (condition: string) => {
    const orders = `orders o join buyer_checks b on b.order_id = o.order_id where o.order_id = '${orderId}'`;
    const found = await createSqliteQuery(stage.databasePath)(`select 1 from ${orders} and ${condition}`);
    return found.length > 0;
  };
  const isSent = () => isTrue("sent_at is not null");
  await until(async () => !app.isRunning() || (await isSent()), {
    what: `a link, or a death: ${show(fault)}`,
  });
  // Nobody noted that the mail server took it.
  const isRepeated = asked.mails.length > sent && !(await isSent());
  let died = fault.phase === "ask" && (await restart(asked, fault));
  await until(() => isTrue("sent_at is not null and lease_owner is null and state = 'review'"), {
    what: `the link is sent after ${kills.at(-1)}`,
  });

  const link = readLink(asked.mails.slice(sent)[0]);
  if (fault.phase === "answer") await arm(asked, fault);
  const first = await answer(app, link);
  const isOver = async () => (await app.order(SHOP, orderId))?.state === "settled";
  await until(async () => !app.isRunning() || (await isOver()), {
    what: `a release, or a death: ${show(fault)}`,
  });
  if (fault.phase === "answer") died = await restart(asked, fault);
  // Like a person who saw no answer. Who saw one is done.
  const second = first === null ? await answer(app, link) : null;
  expect([first, second]).toEqual(first === null ? [null, expect.toBeOneOf([200, 404])] : [200, null]);
  await until(isOver, { what: `the order is released after ${kills.at(-1)}` });

  await expectOnce(asked, { orderId, mails: asked.mails.slice(sent), isRepeated });
  return died;
}

async function expectOnce(
  { stage, app }: Asked,
  order: { readonly orderId: string; readonly mails: readonly ReceivedMail[]; readonly isRepeated: boolean },
): Promise<void> {
  const { orderId, mails, isRepeated } = order;
  const query = createSqliteQuery(stage.databasePath);
  const [row, ...others] = await query(`select * from buyer_checks where order_id = '${orderId}'`);
  expect(others).toEqual([]);
  expect(row).toMatchObject({ answer: "right", method: "earlier-address", tries: 0 });

  expect(mails.every(({ to }) => to.join() === EARLIER)).toBe(true);
  expect(new Set(mails.map(({ raw }) => /^message-id: (.*)$/im.exec(raw)?.[1])).size).toBe(1);
  expect(new Set(mails.map(readLink)).size).toBe(1);
  expect(mails.length).toBe(isRepeated ? 2 : 1);

  const timeline = await query(`select kind, event from order_timeline where order_id = '${orderId}'`);
  const count = (kind: string) => timeline.filter((entry) => entry["kind"] === kind).length;
  expect([count("buyer-asked"), count("buyer-answered")]).toEqual([1, 1]);
  // A release that the shop took, but whose answer was lost, is found done.
  expect(timeline.filter(({ kind }) => /^release-(?:done|moot)$/.test(String(kind)))).toHaveLength(1);
  expect(timeline.filter(({ event }) => String(event).includes("buyer:confirmed"))).toHaveLength(1);

  const view = await app.order(SHOP, orderId);
  expect(view).toMatchObject({ action: "tag", state: "settled", creditsSpent: 1 });
  expect(stage.service.calls.filter((call) => call.metered && call.orderId === orderId)).toHaveLength(1);
  const shown = stage.emulator.shop(SHOP).order(orderId);
  expect(shown.fulfillmentOrders.flatMap(({ holds }) => holds)).toEqual([]);
  expect(shown.cancellations).toEqual([]);
}

async function arm({ app, stage, armMail }: Asked, fault: Fault): Promise<void> {
  if (fault.place === "mail") armMail();
  else if (fault.place === "commit") await app.arm(fault);
  else stage.requestFaults.arm(fault);
}

/** Resolves to whether there was something to restart. */
async function restart({ app, stage, kills }: Asked, fault: Fault): Promise<boolean> {
  const died = !app.isRunning() || !(await app.disarm());
  const request = stage.requestFaults.names.at(-1);
  stage.requestFaults.arm(null);
  if (!died) return false;
  const step =
    fault.place === "mail" ? "the mail" : fault.place === "commit" ? app.commits().at(-1) : request;
  kills.push(`${show(fault)} of ${step}`);
  await app.kill();
  await app.start();
  return true;
}

function show(fault: Fault): string {
  const { phase, place } = fault;
  return place === "mail" ? `${phase}: mail` : `${phase}: ${fault.side} ${place} ${fault.number}`;
}

/** A quoted-printable mail's link, at the app. */
function readLink(mail: ReceivedMail | undefined): string {
  const text = (mail?.raw ?? "").replaceAll("=\r\n", "");
  return /https:\/\/app\.example(\/confirm\/[\w-]+)/.exec(text)?.[1] ?? "";
}

/** The status; null if the connection was lost. */
async function answer(app: FaultyApp, link: string): Promise<number | null> {
  const body = new URLSearchParams({ answer: "yes" });
  const signal = AbortSignal.timeout(ANSWER_MS);
  try {
    const response = await fetch(app.url(`${link}/earlier-address`), { method: "POST", body, signal });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return null;
  }
}

/** Die at each step until there is none left. */
async function dieAtEach(asked: Asked, toFault: (number: number) => Fault): Promise<void> {
  for (let number = 1; await dieAt(asked, toFault(number)); number += 1)
    expect(number, asked.kills.join("\n")).toBeLessThan(MOST_STEPS);
}

describe("an app that is killed between the steps of asking a buyer", () => {
  it("asks once, by one link", { timeout: PATIENCE_MS }, async (context) => {
    const asked = await open(context);
    for (const side of SIDES) {
      const containing = "buyer_checks";
      await dieAtEach(asked, (number) => ({ phase: "ask", place: "commit", side, number, containing }));
    }
    expect(await dieAt(asked, { phase: "ask", place: "mail" })).toBe(true);

    for (const side of SIDES)
      for (const step of ["insert into buyer_checks", ", update buyer_checks", "of update buyer_checks"])
        expect(asked.kills).toContainEqual(expect.stringMatching(`^ask: ${side} .*${step}`));
  });

  it.for(SIDES)(
    "loses no answer, and follows it once: %s a commit",
    { timeout: PATIENCE_MS },
    async (side, context) => {
      const asked = await open(context);
      await dieAtEach(asked, (number) => ({ phase: "answer", place: "commit", side, number }));
      // Which writes are committed together varies, so counting the commits can skip one.
      const steps = ["update buyer_checks", "insert into order_steps"];
      const isMissed = (step: string) => !asked.kills.some((kill) => kill.includes(step));
      for (const containing of steps.filter(isMissed))
        await dieAt(asked, { phase: "answer", place: "commit", side, number: 1, containing });
      expect(steps.filter(isMissed)).toEqual([]);
    },
  );

  it.for(IS_EVERY ? SIDES : (["after"] as const))(
    "loses no answer, and follows it once: %s a request",
    { timeout: PATIENCE_MS },
    async (side, context) => {
      const asked = await open(context);
      await dieAtEach(asked, (number) => ({ phase: "answer", place: "request", side, number }));
      for (const request of ["ReleaseHolds", "AddTags"])
        expect(asked.kills).toContainEqual(expect.stringContaining(request));
    },
  );
});
