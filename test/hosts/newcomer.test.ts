import { readFileSync } from "node:fs";
import { expect, inject, it } from "vitest";
import { codeBlocks, readSection } from "../support/markdown.ts";
import { until } from "../support/until.ts";
import { createFolder, findFreePort } from "./host.ts";

/** From an empty folder to the first decision. The registry's time to send Express doesn't count. */
const LIMIT_MS = 60_000;

/** The guide's commands, in its order. */
function readCommands(replaced: readonly (readonly [string, string])[]) {
  const section = readSection(readFileSync("docs/storefront.md", "utf8"), "Run it");
  const blocks = codeBlocks(section, "sh").map((block) =>
    replaced.reduce((text, [from, to]) => text.replaceAll(from, to), block),
  );
  expect(blocks).toHaveLength(4);
  const [install = "", sandbox = "", shop = "", orders = ""] = blocks;
  const lines = (block: string) => block.trim().split("\n");
  return { install: lines(install), sandbox: sandbox.trim(), shop: shop.trim(), orders: lines(orders) };
}

it("takes a newcomer from an empty folder to the first decision in a minute, with the guide alone", async () => {
  await using host = await createFolder();
  const [service, shop] = [await findFreePort(), await findFreePort()];
  const guide = readCommands([
    ["PATH/holdfast-0.1.0.tgz", inject("tarball")],
    ["sandbox\n", `sandbox --port ${service}\n`],
    ["127.0.0.1:4010", `127.0.0.1:${service}`],
    ["localhost:3000", `localhost:${shop}`],
  ]);
  const steps: [string, number][] = [];
  const step = async <T>(name: string, act: () => Promise<T>): Promise<T> => {
    const startMs = performance.now();
    const done = await act();
    steps.push([name, Math.round(performance.now() - startMs)]);
    return done;
  };
  const shell = async (line: string) => await host.run("sh", ["-c", line]);

  for (const line of guide.install) {
    // Ours has to come without the registry: it is one package.
    await step(line, async () => await shell(line.includes(".tgz") ? `${line} --offline` : line));
  }
  const readme = readFileSync("README.md", "utf8");
  const [tenLines = ""] = codeBlocks(readSection(readme, "Ten lines for a storefront"), "js");
  await host.write({ "shop.js": tenLines });
  await step("sandbox", async () => {
    host.start("sh", ["-c", guide.sandbox]);
    await until(() => fetch(`http://127.0.0.1:${service}`));
  });
  await step("shop", async () => {
    host.start("sh", ["-c", guide.shop], { PORT: String(shop) });
    await until(() => fetch(`http://localhost:${shop}`));
  });
  const answers: string[] = [];
  for (const line of guide.orders) answers.push(await step(line, async () => await shell(line)));

  expect(answers[0]).toBe('{"state":"placed"}');
  expect(answers[1]).toContain('"status":403');
  const ours = steps.filter(([name]) => name !== "npm install express").reduce((sum, [, ms]) => sum + ms, 0);
  expect(ours, JSON.stringify(steps)).toBeLessThan(LIMIT_MS);
  process.stdout.write(steps.map(([name, ms]) => `${ms} ms  ${name}\n`).join(""));
});
