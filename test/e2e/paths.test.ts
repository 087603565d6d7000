import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isBrowserMissing } from "../support/browser.ts";
import { createConsoleStage, type ConsolePage, type ConsoleStage } from "../support/console-stage.ts";
import { placeOrders } from "../support/placed-orders.ts";

const pathOf = ({ app }: ConsolePage): string => new URL(app.url()).pathname;
const heading = ({ app }: ConsolePage, name: string) => app.getByRole("heading", { name, level: 1 });

describe.skipIf(isBrowserMissing())("the console's addresses", () => {
  let stage: ConsoleStage;

  beforeAll(async () => void (stage = await createConsoleStage()));
  afterAll(() => stage.close());

  it("are paths that survive a reload in the admin's frame, and the back button", async () => {
    const shop = "paths.myshopify.com";
    const [id = ""] = await placeOrders(stage, shop, [{ number: 1, as: "high" }]);
    const opened = await stage.openEmbedded({ shop, path: `/orders/${id}` });
    await opened.app.getByRole("heading", { name: "#1" }).first().waitFor();

    await opened.chooseInMenu("policy");
    await heading(opened, "Policy").waitFor();
    expect(pathOf(opened)).toBe("/policy");
    expect(new URL(opened.app.url()).searchParams.get("shop")).toBe(shop);

    await opened.app.evaluate(() => location.reload());
    await heading(opened, "Policy").waitFor();
    await opened.app.evaluate(() => history.back());
    await heading(opened, "Orders").waitFor();
    expect(pathOf(opened)).toBe(`/orders/${id}`);
  });
});
