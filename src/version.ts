import { readFileSync } from "node:fs";

/** The version in Holdfast's own package.json, which lies above the sources (src/) and above the build (dist/) alike. */
export function readVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
    version: string;
  };
  return version;
}
