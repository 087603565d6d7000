import { describe, expect, it } from "vitest";
import { createEvaluator } from "../../eval/evaluation.ts";
import { toCalibrationPicture } from "../../eval/pictures/calibration-picture.ts";
import { toRocPicture } from "../../eval/pictures/roc-picture.ts";
import { element, text } from "../../eval/pictures/svg.ts";
import { generateOrders } from "../../eval/synthetic/synthetic-orders.ts";
import { createLocalEngine } from "../../src/engine/engine.ts";

function evaluate(orders: number) {
  const evaluator = createEvaluator(createLocalEngine());
  for (const order of generateOrders({ orders, seed: 5 })) evaluator.add(order);
  return evaluator.evaluate();
}

/** Every tag is closed by its own, in the right place; attributes are quoted. */
function isWellFormed(svg: string): boolean {
  const open: string[] = [];
  for (const [, closing, name = "", self] of svg.matchAll(
    /<(\/?)([a-z]+)(?: [a-zA-Z0-9-]+="[^"<]*")*(\/?)>/g,
  )) {
    if (closing === "/") {
      if (open.pop() !== name) return false;
    } else if (self !== "/") open.push(name);
  }
  const rest = svg.replaceAll(/<\/?[a-z]+(?: [a-zA-Z0-9-]+="[^"<]*")*\/?>/g, "");
  return open.length === 0 && !/[<>]|&(?!amp;|lt;|gt;|quot;)/.test(rest);
}

const evaluation = evaluate(3_000);
const { withoutVelocity, withVelocity } = evaluation;

describe("toRocPicture", () => {
  it("draws both curves between labeled axes", () => {
    const svg = toRocPicture("orders", withoutVelocity, withVelocity);

    expect(isWellFormed(svg)).toBe(true);
    expect(svg.match(/<polyline/g)).toHaveLength(2);
    for (const words of [
      "frauds caught",
      "legitimate orders caught",
      "without velocity: AUC 0.",
      "with velocity counts: AUC 0.",
    ])
      expect(svg).toContain(words);
  });

  it("draws one curve without velocity, and every point within the plot", () => {
    const svg = toRocPicture("orders", withoutVelocity, null);
    const points = [...svg.matchAll(/points="([^"]*)"/g)].flatMap(([, list = ""]) => list.split(" "));

    expect(svg.match(/<polyline/g)).toHaveLength(1);
    expect(points.length).toBeGreaterThan(5);
    for (const point of points) {
      const [x = -1, y = -1] = point.split(",").map(Number);
      expect(x).toBeGreaterThanOrEqual(78);
      expect(x).toBeLessThanOrEqual(518);
      expect(y).toBeGreaterThanOrEqual(56);
      expect(y).toBeLessThanOrEqual(496);
    }
  });

  it("escapes a file's name and cuts a long one", () => {
    const svg = toRocPicture(`<script>"&${"x".repeat(200)}`, withoutVelocity, null);

    expect(isWellFormed(svg)).toBe(true);
    expect(svg).not.toContain("<script");
    expect(svg).toContain("…");
  });

  it("draws a picture without orders", () => {
    const { withoutVelocity: nothing } = evaluate(0);

    expect(isWellFormed(toRocPicture("nothing", nothing, null))).toBe(true);
    expect(toRocPicture("nothing", nothing, null)).toContain("AUC unknown");
    expect(isWellFormed(toCalibrationPicture("nothing", nothing.calibration))).toBe(true);
  });
});

describe("toCalibrationPicture", () => {
  it("draws a mark with its interval for every bin that has orders", () => {
    const svg = toCalibrationPicture("orders", withoutVelocity.calibration);
    const filled = withoutVelocity.calibration.bins.filter(({ orders }) => orders > 0).length;

    expect(isWellFormed(svg)).toBe(true);
    // One more in the legend.
    expect(svg.match(/<circle/g)).toHaveLength(filled + 1);
    expect(svg).toContain("share that is fraud");
    expect(svg).toMatch(/slope -?\d/);
    expect(svg).not.toContain("NaN");
  });
});

describe("element", () => {
  it("escapes attributes and text", () => {
    expect(element("g", { id: 'a"<&>' }, [text("1 < 2 & 3", { x: 1.23456 })])).toBe(
      '<g id="a&quot;&lt;&amp;&gt;"><text x="1.23">1 &lt; 2 &amp; 3</text></g>',
    );
  });
});
