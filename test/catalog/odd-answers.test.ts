import { text } from "node:stream/consumers";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { expect, it, onTestFinished } from "vitest";
import { createCatalogClient, type CatalogClient } from "../../src/catalog.ts";
import { sendJson, startServer, type Responder } from "../service/loopback.ts";

const pagination = { page: 1, limit: 20, total: 1, totalPages: 1 };
const item = { id: "i", jobId: "j", productId: "p", status: "completed", errorMessage: null };
const described = { attributeId: "a", attributeName: "Color", attributeType: "text" };

function connect(url: string, organization?: string): CatalogClient {
  const client = createCatalogClient({ url, apiKey: "key", organization, retries: 0 });
  onTestFinished(() => client.close());
  return client;
}

async function clientOf(respond: Responder): Promise<CatalogClient> {
  return connect((await startServer(respond)).url, "acme");
}

/** A client of a catalog that always responds with this answer. */
const answeredWith = (data: unknown) =>
  clientOf((response) => sendJson(response, 200, { success: true, data }));

it("attributes are kept if one of them has no value", async () => {
  const color = { ...described, value: "red" };
  const enrichedData = { color, size: described, weight: 7 };
  const client = await answeredWith({ items: [{ ...item, enrichedData }], pagination });

  const [only] = await client.enrichmentJobs.items("j").all();

  expect(only?.enrichedData).toEqual({
    color,
    size: { ...described, value: null },
    weight: { attributeId: null, attributeName: null, attributeType: null, value: 7 },
  });
});

it("validation results are kept if an attribute has no stored value", async () => {
  const result = { ...described, isValid: false, confidence: 80, explanation: "Not in the source" };
  const validationResults = { color: { ...result, existingValue: "red" }, size: result, weight: "odd" };
  const client = await answeredWith({
    items: [{ ...item, validationResults, overallScore: 40 }],
    pagination,
  });

  const [only] = await client.validationJobs.items("j").all();

  expect(only?.validationResults).toMatchObject({
    color: { ...result, existingValue: "red" },
    size: { ...result, existingValue: null },
    weight: { isValid: null, explanation: null },
  });
});

it("an odd entry of a list is left out, and the others are kept", async () => {
  const referenceData = { mode: "websearch", urls: ["https://example.com/a", null, "https://example.com/b"] };
  const row = { ...item, brandName: "Acme", enrichedAttributes: {}, referenceData };
  const jobs = await answeredWith({ job: { id: "j", status: "completed" }, items: [row], pagination });
  const attribute = { id: "a", name: "Color", slug: "color" };
  const entries = [
    { order: 1, attribute },
    { order: 2, attribute: { name: "no id" } },
  ];
  const sets = await answeredWith({ attributeSets: [{ id: "s", attributeSetAttributes: entries }] });

  const [found] = await jobs.brandJobs.items("j").all();
  const { attributeSets } = await sets.attributeSets.brands();

  expect(found?.referenceData?.urls).toEqual(["https://example.com/a", "https://example.com/b"]);
  expect(attributeSets[0]?.attributeSetAttributes).toMatchObject([{ order: 1, attribute }]);
});

it("each failed file counts, even without details", async () => {
  const errors = [{ fileName: "a.pdf", error: "unreadable" }, "b.pdf"];
  const client = await clientOf((response) =>
    sendJson(response, 200, { success: false, uploadedFileIds: [], errors }),
  );
  const file = { name: "a.pdf", content: new Blob(["%PDF"]) };

  const uploaded = await client.files.upload({ files: [file] });

  expect(uploaded.errors).toEqual([errors[0], { fileName: null, error: null }]);
});

it.each([
  ["attachment; filename=\"brands.csv\"; filename*=UTF-8''M%C3%BCller%20%E2%82%AC.csv", "Müller €.csv"],
  ["attachment; filename*=utf-8'de'M%C3%BCller.csv", "Müller.csv"],
  ["attachment; filename*=UTF-8''%E0%A4%A.csv; filename=\"brands.csv\"", "brands.csv"],
  ["attachment; FileName=brands.csv", "brands.csv"],
  ["attachment; filename*=UTF-8''..%2F..%2Fbrands.csv", "brands.csv"],
  ['attachment; filename="C:\\Windows\\brands.csv"', "brands.csv"],
  ['attachment; filename="/"', null],
  ['attachment; filename=".."', null],
  ["attachment", null],
])("the file of %s is named %j", async (disposition, fileName) => {
  const client = await clientOf((response) =>
    response.writeHead(200, { "content-disposition": disposition }).end("name\n"),
  );

  const download = await client.brandJobs.download("j");
  download.body.resume();

  expect(download.fileName).toBe(fileName);
});

it.each([
  ["gzip", gzipSync],
  ["br", brotliCompressSync],
] as const)("reads a file that came as %s, although that wasn't requested", async (encoding, encode) => {
  const client = await clientOf((response) =>
    response.writeHead(200, { "content-encoding": encoding }).end(encode("name\nAcme\n")),
  );

  const { body } = await client.brandJobs.download("j");

  expect(await text(body)).toBe("name\nAcme\n");
});

it("ends a file with an error if it came compressed and was cut off", async () => {
  const client = await clientOf((response) =>
    response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("name\nAcme\n").subarray(0, -9)),
  );

  const { body } = await client.brandJobs.download("j");

  await expect(text(body)).rejects.toMatchObject({ code: "SERVICE_INTERRUPTED", retryable: true });
});

it("asks again which organization the key has, once the service refuses the one it had", async () => {
  let slug = "acme";
  const server = await startServer((response, { method, url = "" }) => {
    const data = method === "GET" ? { organizations: [{ id: "o", slug }] } : { exists: true };
    if (method === "GET" || url.includes(`/${slug}/`))
      return sendJson(response, 200, { success: true, data });
    return sendJson(response, 403, { success: false, message: "Invalid API Key" });
  });
  const client = connect(server.url);
  await client.brands.check({ name: "a" });

  slug = "acme-inc";
  await expect(client.brands.check({ name: "b" })).rejects.toMatchObject({ code: "SERVICE_FORBIDDEN" });

  await expect(client.brands.check({ name: "b" })).resolves.toEqual({ exists: true });
  expect(server.seen.map(({ method }) => method)).toEqual(["GET", "POST", "POST", "GET", "POST"]);
});
