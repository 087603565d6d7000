import { describe, expect, it } from "vitest";
import { ALERT_TEXTS, findAlertText } from "../../src/alerts/alert-texts.ts";

describe("ALERT_TEXTS", () => {
  it("say in short sentences what happened, then what to do", () => {
    for (const [name, text] of Object.entries(ALERT_TEXTS)) {
      expect(text, name).toMatch(/^[A-Z][^.]+\. [A-Z].+\.$/);
      expect(text.length, name).toBeLessThan(260);
    }
  });

  it("have nothing for an unknown name", () => {
    expect(findAlertText("toString")).toBeUndefined();
    expect(findAlertText("unheard_of")).toBeUndefined();
  });
});
