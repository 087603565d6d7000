#!/usr/bin/env node
import { toMissingPackage } from "./base/missing-package.ts";

// Everything else is loaded from here, so that a package that isn't installed is named with the command that installs it.
try {
  await import("./main.ts");
} catch (error) {
  console.error(toMissingPackage(error)?.message ?? error);
  process.exitCode = 1;
}
