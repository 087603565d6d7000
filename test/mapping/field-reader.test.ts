import { describe, expect, it } from "vitest";
import { FieldReader } from "../../src/mapping.ts";

describe("FieldReader", () => {
  it.each([[undefined], [null], [""], [" \n"]])(
    "reads the field %j as absent, whatever it could be",
    (field) => {
      const reader = new FieldReader({ field });

      expect([
        reader.value("field"),
        reader.value("field.inside"),
        reader.text(9, "field"),
        reader.id("field"),
        reader.amount("field"),
        reader.time("field"),
        reader.unixTime("field"),
        reader.inside("field"),
      ]).toEqual(Array.from({ length: 8 }));
      expect(reader.list("field")).toEqual([]);
      expect(reader.faults).toEqual([]);
    },
  );

  it("notes a text where an object has to be", () => {
    const reader = new FieldReader({ address: "1 Main St" });

    expect(reader.inside("address")).toBeUndefined();
    expect(reader.value("address.city")).toBeUndefined();
    expect(reader.faults).toEqual([
      { path: "address", message: "expected an object" },
      { path: "address.city", message: "expected an object on the way to it" },
    ]);
  });
});
