import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isBrowserMissing } from "../support/browser.ts";
import { fillShop, listDialogs, listPlaces, lookAtDialogs, PHONE } from "../support/console-places.ts";
import {
  createConsoleStage,
  type ConsolePage,
  type ConsoleStage,
  type ScreenOptions,
} from "../support/console-stage.ts";

const SHOP = "screens.myshopify.com";

describe.skipIf(isBrowserMissing())("every view and dialog", () => {
  let stage: ConsoleStage;
  let orderId: string;

  beforeAll(async () => {
    stage = await createConsoleStage();
    orderId = await fillShop(stage, SHOP);
  });
  afterAll(() => stage.close());

  /** The admin is light, so dark is how the page looks on its own. */
  async function open(options: ScreenOptions): Promise<ConsolePage> {
    if (options.colorScheme !== "dark") return await stage.openEmbedded({ shop: SHOP, ...options });
    const { body } = await stage.send(SHOP, "POST", "api/people", { body: { name: "Night", role: "owner" } });
    return await stage.signIn({ ...options, token: (body as { token: string }).token });
  }

  it.each([
    { colorScheme: "light", viewport: { width: 1280, height: 800 } },
    { colorScheme: "dark", viewport: PHONE },
    { colorScheme: "dark", viewport: { width: 1280, height: 800 } },
    { colorScheme: "light", viewport: PHONE },
  ] as const)("passes axe-core ($colorScheme, $viewport.width wide)", async (screen) => {
    const opened = await open({ ...screen, withAxe: true, reducedMotion: "reduce" });
    const faults: string[] = [];
    const look = async (place: string): Promise<void> => {
      faults.push(...(await opened.findFaults()).map((fault) => `${place}: ${fault}`));
    };
    for (const path of listPlaces(orderId)) {
      await opened.goTo(path);
      await look(path);
    }
    await lookAtDialogs(opened, listDialogs(orderId, screen.viewport === PHONE), look);

    expect(faults).toEqual([]);
  });

  it("would not pass with text that can hardly be read, or a button without a name", async () => {
    const opened = await stage.openEmbedded({ shop: SHOP, withAxe: true });
    await opened.goTo("/queue");
    await opened.app.evaluate(() => {
      const text = Object.assign(document.createElement("p"), { textContent: "hardly to be read" });
      text.style.color = "#c8c8c8";
      document.querySelector("h1")?.after(text, document.createElement("button"));
    });

    const faults = (await opened.findFaults()).map((fault) => fault.split(":")[0]);

    expect(faults).toEqual(["button-name", "color-contrast"]);
  });
});
