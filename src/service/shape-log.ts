import type { Logger } from "../base/logger.ts";
import type { ReadResult } from "./read-result.ts";

/** Most shapes of incomplete answers remembered as already logged. */
const SHAPES_LOGGED = 50;

/** Logs answers with unusable parts, each combination of parts once. Their content may be personal and is not logged. */
export function createShapeLog(logger: Logger): (unusable: ReadResult["unusable"]) => void {
  const logged = new Set<string>();
  return (unusable) => {
    const shape = unusable.join(" ");
    if (shape === "" || logged.has(shape) || logged.size >= SHAPES_LOGGED) return;
    logged.add(shape);
    logger.warn({ unusable }, "parts of the service's response are unusable; the risk level decides");
  };
}
