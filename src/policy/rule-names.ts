import type { FieldProblem } from "../base/errors.ts";
import type { Policy } from "./policy.ts";

const DIGITS_ONLY = /^(?=.*\p{Nd})[\p{Nd}\p{P}\p{Z}\p{C}+]+$/u;

function isPersonal(name: string): boolean {
  const plain = name.normalize("NFKC");
  return plain.includes("@") || DIGITS_ONLY.test(plain);
}

/**
 * Rules whose names look like an email address or a phone number, as field problems. A rule's name stands in the clear
 * with every decision it makes, in the log and in exports. Asked when a policy is written, not when a saved one is read:
 * one that an older release took stays in force.
 */
export function findPersonalRuleNames({ rules }: Policy): readonly FieldProblem[] {
  return rules.flatMap(({ name }, index) =>
    isPersonal(name)
      ? [
          {
            path: `rules[${index}].name`,
            message: "expected a name without @ and with letters: names are shown in the clear",
          },
        ]
      : [],
  );
}
