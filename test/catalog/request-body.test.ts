import { mkdtempSync, openAsBlob, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { toForm, type EncodedForm } from "../../src/catalog/request-body.ts";
import { sendJson, startServer } from "../service/loopback.ts";
import { startCatalog } from "./catalog-stage.ts";

const file = { name: "list.csv", content: new Blob(["name\nBoot\n"], { type: "text/csv" }) };

/** The fields of an encoded form, as the platform's own decoder reads them. */
async function fieldsOf({ content, contentType }: EncodedForm): Promise<Record<string, unknown>> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  const answer = new Response(Buffer.concat(chunks), { headers: { "content-type": contentType } });
  const { files, ...fields } = Object.fromEntries((await answer.formData()).entries());
  expect(files).toMatchObject({ name: "list.csv", size: 10, type: "text/csv" });
  return fields;
}

it("a form leaves out fields that aren't given", async () => {
  const body = {
    files: [file],
    prompt: undefined,
    modelType: undefined,
    autoEnrich: true,
    enrichmentConfig: { websearch: undefined, attributeSetId: null, extractImages: false },
  };

  expect(await fieldsOf(toForm(body, "json"))).toEqual({
    autoEnrich: "true",
    enrichmentConfig: '{"attributeSetId":null,"extractImages":false}',
  });
  expect(await fieldsOf(toForm(body, "fields"))).toEqual({
    autoEnrich: "true",
    "enrichmentConfig[extractImages]": "false",
  });
  expect(await fieldsOf(toForm({ files: [file], enrichmentConfig: undefined }, "fields"))).toEqual({});
});

it("a file is read while it is sent, piece by piece", async () => {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-form-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "large.csv");
  const size = 5 * 1024 * 1024;
  writeFileSync(path, Buffer.alloc(size, "a"));
  const content = await openAsBlob(path, { type: "text/csv" });

  const sizes: number[] = [];
  for await (const chunk of toForm({ files: [{ name: "large.csv", content }] }, "json").content) {
    sizes.push(chunk.length);
  }

  expect(sizes.reduce((sum, one) => sum + one, 0)).toBeGreaterThan(size);
  expect(Math.max(...sizes)).toBeLessThan(size / 4);
});

it("a form can be sent through a dispatcher from another copy of undici", async () => {
  const require = createRequire(import.meta.url);
  const own = require("undici") as typeof import("undici");
  for (const path of Object.keys(require.cache))
    if (/[\\/]undici[\\/]/.test(path)) delete require.cache[path];
  const other = require("undici") as typeof import("undici");
  expect(other.Pool).not.toBe(own.Pool);
  const server = await startServer((response) =>
    sendJson(response, 200, { success: true, uploadedFileIds: ["1"], errors: [] }),
  );
  const dispatcher = new other.Pool(server.url);
  onTestFinished(() => dispatcher.destroy());
  const { connect } = await startCatalog();

  const answer = await connect({ url: server.url, dispatcher }).files.upload({ files: [file] });

  expect(answer.uploadedFileIds).toEqual(["1"]);
  expect(server.seen).toHaveLength(1);
  expect(server.seen[0]?.headers["content-type"]).toMatch(/^multipart\/form-data; boundary=/);
  expect(server.seen[0]?.body).toContain("name\nBoot\n");
});
