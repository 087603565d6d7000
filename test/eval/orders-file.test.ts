import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { LabelledOrder } from "../../eval/labelled-order.ts";
import { openOrdersFile, type FileReport } from "../../eval/orders-file.ts";

const folder = mkdtempSync(join(tmpdir(), "holdfast-eval-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;

async function read(
  content: string | Buffer,
  onProgress?: (share: number) => void,
): Promise<FileReport & { readonly orders: readonly LabelledOrder[] }> {
  files += 1;
  const path = join(folder, `orders-${files}.csv`);
  writeFileSync(path, content);
  const file = await openOrdersFile(path, onProgress === undefined ? {} : { onProgress });
  const orders: LabelledOrder[] = [];
  for await (const order of file.orders) orders.push(order);
  return { orders, ...file.report() };
}

describe("openOrdersFile", () => {
  it("reads orders and names what it could not read, by line and column", async () => {
    const { orders, badRows, unknownColumns, oddCells } = await read(
      [
        "label,orderAmount,customerEmail,secret",
        "1,10,jane@example.com,x",
        "0,ten,jane@example.com,x",
        '0,20,"jane',
        '0,30,"jane@exa',
        'mple.com",x',
        "0,40",
        "",
        "perhaps,50,jane@example.com,x",
        ",60,jane.example.com,x",
        "legit,70,nobody,x",
      ].join("\n"),
    );

    expect(orders.map(({ order, fraud }) => [order.orderAmount, fraud])).toEqual([
      [10, true],
      [30, false],
      [60, undefined],
      [70, false],
    ]);
    expect(badRows.first.map(({ line, column }) => [line, column])).toEqual([
      [3, "orderAmount"],
      [4, null],
      [7, null],
      [9, "label"],
    ]);
    expect(badRows.count).toBe(4);
    expect(unknownColumns).toEqual(["secret"]);
    expect(oddCells).toEqual([
      { column: "customerEmail", expected: "expected an email address", cells: 3, firstLine: 5 },
    ]);
  });

  it("names the first twenty bad rows and counts the others", async () => {
    const { badRows, orders } = await read(`label,orderAmount\n${"1,x\n".repeat(50)}0,1\n`);

    expect(badRows.count).toBe(50);
    expect(badRows.first).toHaveLength(20);
    expect(orders).toHaveLength(1);
  });

  it("reports its progress", async () => {
    const shares: number[] = [];
    await read(`label,orderAmount\n${"1,5\n".repeat(50_000)}`, (share) => shares.push(share));

    expect(shares).toHaveLength(50_000);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(shares[0]).toBeGreaterThan(0);
    expect(shares.at(-1)).toBe(1);
  });

  it("reads bytes that aren't UTF-8 as some text", async () => {
    const { orders } = await read(
      Buffer.concat([Buffer.from("label,customerName\n1,Jos"), Buffer.from([0xe9, 10])]),
    );

    expect(orders[0]?.order.customerName).toBe("Jos\uFFFD");
  });

  it.each([
    ["", "the file is empty"],
    ["\n\n", "the file is empty"],
    ['"label', "the first line of the file is not CSV"],
    ["a,b\n1,2\n", 'the file has no column "label"'],
  ])("refuses %j", async (content, message) => {
    await expect(read(content)).rejects.toThrow(message);
  });

  it("refuses a missing file", async () => {
    await expect(openOrdersFile(join(folder, "missing.csv"))).rejects.toThrow("ENOENT");
  });
});
