import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isBrowserMissing } from "../support/browser.ts";
import { findWide, PHONE } from "../support/console-places.ts";
import { createConsoleStage, type ConsoleStage } from "../support/console-stage.ts";
import { placeOrders } from "../support/placed-orders.ts";

describe.skipIf(isBrowserMissing())("orders that AI agents placed", () => {
  let stage: ConsoleStage;

  beforeAll(async () => {
    stage = await createConsoleStage();
  });
  afterAll(() => stage.close());

  it.each([1280, PHONE.width])("have their own levels in the report, %i px wide", async (width) => {
    const shop = `agents-${width}.myshopify.com`;
    await stage.install(shop, { agentChannels: ["5678901"] });
    await placeOrders(stage, shop, [
      { number: 1, as: "low", payload: { source_name: "5678901" } },
      { number: 2, as: "high", payload: { source_name: "5678901" } },
      { number: 3, as: "high", payload: { source_name: "web" } },
    ]);
    const opened = await stage.openEmbedded({
      shop,
      viewport: { width, height: 900 },
      path: "/report",
      withAxe: true,
    });
    const rowsOf = (name: string) => opened.app.getByRole("table", { name, exact: true }).getByRole("row");
    await rowsOf("AI agents' orders by risk level").first().waitFor();

    const agents = (await rowsOf("AI agents' orders by risk level").allInnerTexts()).join("\n");
    expect(agents).toMatch(/High[^]*1[^]*\$120\.00/);
    expect((await rowsOf("By risk level").allInnerTexts()).join("\n")).toMatch(/High[^]*2[^]*\$240\.00/);
    expect(await opened.findFaults()).toEqual([]);
    expect(await findWide(opened, "/report")).toEqual([]);
    expect(opened.problems).toEqual([]);
  });
});
