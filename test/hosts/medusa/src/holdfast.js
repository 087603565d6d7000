const { createHoldfast } = require("holdfast/medusa");

const { SETTINGS, REFUSE, DEADLINE_MS } = process.env;
const say = (...args) => process.stderr.write(`${args.map(String).join(" ")}\n`);
const quiet = () => {};

exports.holdfast = createHoldfast({
  settings: JSON.parse(SETTINGS),
  refuse: REFUSE !== "no",
  deadlineMs: Number(DEADLINE_MS ?? 2500),
  logger: { trace: quiet, debug: quiet, info: quiet, warn: say, error: say, fatal: say },
});
