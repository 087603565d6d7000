import { describe, expect, it } from "vitest";
import { EVENT_OF_ALERT } from "../../src/alerts/notice-event.ts";
import { toAlertMessage } from "../../src/alerts/alert-message.ts";
import { toCodeMessage } from "../../src/alerts/notice-message.ts";
import { ALERTS } from "../../src/base/alerts.ts";
import { LANGUAGE_TAGS } from "../../src/texts/languages.ts";
import { createSay, findAlertText, findKey } from "../../src/texts/say.ts";

describe.each(LANGUAGE_TAGS)("what the server writes in %s", (language) => {
  it("has a text for each alert, in sentences, that names what the English one names", () => {
    const toNames = (text = "") =>
      (text.match(/[A-Z]+(?:_[A-Z]+)+|\b[a-z]+(?:_[a-z]+)+\b/g) ?? []).toSorted();
    for (const name of Object.keys(ALERTS)) {
      const text = findAlertText(name, language);
      expect(text, name).toMatch(/^[^.。]+[.。:：].*[.。]$/su);
      expect(toNames(text), name).toEqual(toNames(findAlertText(name, "en")));
    }
    expect(findAlertText("toString", language)).toBeUndefined();
    expect(findAlertText("unheard_of", language)).toBeUndefined();
  });

  it("has a reason for each alert that becomes a notice", () => {
    const say = createSay(language);
    for (const [name, event] of Object.entries(EVENT_OF_ALERT)) {
      const key = findKey("reason", name);
      expect(key === undefined ? "" : say(key), `${event} ${name}`).not.toBe("");
    }
    expect(findKey("reason", "unheard_of")).toBeUndefined();
  });

  it("counts in the language's own words", () => {
    const say = createSay(language);
    for (const count of [2, 1_234])
      expect(say("held-many", { count })).toContain(count.toLocaleString(language));
    expect(say("held-one", { known: "yes", name: "#1001 {x}" })).toContain("#1001 {x}");
    expect(say("held-one", { known: "no", name: "" })).not.toMatch(/#|\{|\}|undefined/);
  });
});

it("says it in the reader's language, with ids and codes as they are", () => {
  const message = toAlertMessage(
    {
      moment: "reminder",
      name: "hold_overdue",
      facts: { tenant: "shopify:one.example", code: "PLATFORM_THROTTLED" },
      orderIds: ["1", "2"],
      count: 3,
      nowMs: 0,
    },
    "m-1",
    { version: "1.2.3", instance: "abcd1234" },
    "fr",
  );

  expect(message.subject).toBe("[Holdfast] Toujours en cours : hold_overdue (shopify:one.example)");
  expect(message.text.split("\n").slice(1)).toEqual([
    "L’échéance d’une suspension est dépassée et la commande est toujours suspendue. Examinez la commande, puis levez la suspension ou annulez la commande dans la boutique.",
    "code PLATFORM_THROTTLED · commande 1, 2 · 3 de plus depuis le dernier message",
  ]);
  expect(message.fields).toMatchObject({
    alert: "hold_overdue",
    event: "reminder",
    code: "PLATFORM_THROTTLED",
  });
});

it("sends a code with nothing that somebody wrote", () => {
  expect(toCodeMessage("12345678", "m", 0, "zh-CN").text.split("\n")).toEqual([
    "[Holdfast] 您的验证码是 12345678",
    "请在 Holdfast 的“设置”>“您的通知”中输入。",
    "如果您不使用 Holdfast，请忽略此邮件：您不会收到任何通知。",
  ]);
});
