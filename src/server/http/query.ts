import type { IncomingMessage } from "node:http";

/** The query of a request, without any notion of nesting. Never throws. */
export function toQuery(req: Pick<IncomingMessage, "url">): URLSearchParams {
  const url = req.url ?? "";
  const start = url.indexOf("?");
  return new URLSearchParams(start === -1 ? "" : url.slice(start + 1));
}
