import { readFileSync } from "node:fs";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { SAMPLE_RESULT } from "./sample-order.ts";
import { listen, serveParent } from "./serve-parent.ts";

const TLS = new URL("../test/fixtures/tls/", import.meta.url);
const ANSWER = Buffer.from(JSON.stringify({ success: true, data: SAMPLE_RESULT }));

const [protocol, latency] = process.argv.slice(2);
const latencyMs = Number(latency);

/** Reads each request and always gives the same valid answer. */
const answer: RequestListener = (req, res) => {
  const send = (): void => {
    res.writeHead(200, { "Content-Type": "application/json", "Content-Length": ANSWER.length });
    res.end(ANSWER);
  };
  req.resume().once("end", () => (latencyMs > 0 ? void setTimeout(send, latencyMs) : send()));
};

const server =
  protocol === "https"
    ? createHttpsServer(
        { key: readFileSync(new URL("key.pem", TLS)), cert: readFileSync(new URL("cert.pem", TLS)) },
        answer,
      )
    : createHttpServer(answer);
server.keepAliveTimeout = 60_000;
const url = await listen(server, protocol === "https" ? "https" : "http");
serveParent(url, async () => {
  server.close();
  server.closeAllConnections();
});
