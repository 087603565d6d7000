// Loaded before the app in a process of a test: adds to the clock what the file that CLOCK_FILE names says, in milliseconds.
import { readFileSync } from "node:fs";

const file = process.env["CLOCK_FILE"] ?? "";
const read = Date.now.bind(Date);
let aheadMs = 0;

setInterval(() => {
  aheadMs = Number(readFileSync(file, "utf8"));
}, 20).unref();
Date.now = () => read() + aheadMs;
