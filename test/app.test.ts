import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startApp, type App, type AppOptions } from "../src/app.ts";
import { parseConfig } from "../src/config.ts";
import { SILENT_LOGGER } from "../src/base/logger.ts";

let folder: string;
const running: App[] = [];

async function start(environment: Record<string, string>, changes: Partial<AppOptions> = {}): Promise<App> {
  const config = parseConfig({ PORT: "0", DATABASE_URL: `sqlite:${join(folder, "h.db")}`, ...environment });
  const app = await startApp({ config, platforms: [], logger: SILENT_LOGGER, version: "1.2.3", ...changes });
  running.push(app);
  return app;
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdfast-app-"));
});

afterEach(async () => {
  for (const app of running.splice(0)) await app.stop();
  await rm(folder, { recursive: true });
});

describe("startApp", () => {
  it("serves requests, and releases its port and database when it is stopped", async () => {
    const app = await start({});
    expect((await fetch(new URL("readyz", app.url))).status).toBe(200);
    await app.stop();
    running.length = 0;

    const again = await start({ PORT: app.url.port });

    expect((await fetch(new URL("healthz", again.url))).status).toBe(200);
  });

  it("names the setting if its port is taken, and releases the database", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    const { port } = taken.address() as AddressInfo;

    await expect(start({ PORT: String(port) })).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: `HOST, PORT: can't listen on 127.0.0.1:${port}: another process uses this port`,
    });
    taken.close();

    expect((await start({})).url.port).not.toBe("0");
  });

  it("releases the database if a platform can't be created", async () => {
    const broken = {
      name: "broken",
      create: () => {
        throw new Error("cannot be made");
      },
    };

    await expect(start({}, { platforms: [broken] })).rejects.toThrow("cannot be made");

    await expect(start({})).resolves.toHaveProperty("url");
  });

  it("refuses a database that another process uses", async () => {
    await start({});

    await expect(start({})).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringContaining("in use"),
    });
  });
});
