// Loaded before the app in a process of a test: adds to the clock what the file that CLOCK_FILE names says, in
// milliseconds, and writes what it read beside that file, so that the test knows when the clock has moved.
import { readFileSync, writeFileSync } from "node:fs";

const file = process.env["CLOCK_FILE"] ?? "";
const read = Date.now.bind(Date);
let aheadMs = 0;

setInterval(() => {
  const ms = Number(readFileSync(file, "utf8"));
  if (ms === aheadMs) return;
  aheadMs = ms;
  writeFileSync(`${file}.read`, String(ms));
}, 20).unref();
Date.now = () => read() + aheadMs;
