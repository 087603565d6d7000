import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { toFailure, toHeaders } from "./http.ts";
import type { RateState } from "./rate-window.ts";

/** Statuses of what Node cannot read as a request; everything else is a 400. */
const STATUSES: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Answer what is no HTTP request in the envelope of failure, and end the connection. */
export function answerBrokenHttp(error: NodeJS.ErrnoException, socket: Duplex, standing: RateState): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = STATUSES[error.code ?? ""] ?? 400;
  const reason = STATUS_CODES[status] ?? "Bad Request";
  const answer = toFailure(status, reason, { Connection: "close" });
  const headers = Object.entries(toHeaders(answer, standing)).map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${status} ${reason}`, ...headers, "", answer.body].join("\r\n"));
}
