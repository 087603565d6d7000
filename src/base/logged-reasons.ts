const RULE = "rule:";

/**
 * A decision's reasons for a log line: the name of a rule is the merchant's own text, which may name a customer, so only
 * `rule` is left of `rule:NAME`. Everything else is a code of ours and stays.
 */
export function toLoggedReasons(reasons: readonly string[]): readonly string[] {
  return reasons.map((reason) => (reason.startsWith(RULE) ? "rule" : reason));
}
