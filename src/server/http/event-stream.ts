import type { ServerResponse } from "node:http";

/** Proxies close connections on which nothing is sent for a minute. */
const HEARTBEAT_MS = 15_000;
/** A reader that is this far behind is gone or too slow. It connects again and catches up. */
const MOST_UNREAD_BYTES = 64 * 1024;

export interface EventStream {
  send(event: string, data: object): void;
  end(): void;
  readonly closed: Promise<void>;
}

/** Begin a response of server-sent events (WHATWG HTML, 9.2). It ends after `lifeMs` at the latest. */
export function openEventStream(res: ServerResponse, { lifeMs }: { readonly lifeMs: number }): EventStream {
  res.writeHead(200, {
    "Content-Type": "text/event-stream",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    // Otherwise nginx collects events before it passes them on.
    "X-Accel-Buffering": "no",
  });
  const closed = new Promise<void>((resolve) => res.once("close", resolve));

  function write(text: string): void {
    if (res.writableLength > MOST_UNREAD_BYTES) res.destroy();
    else if (!res.writableEnded) res.write(text);
  }

  const heartbeat = setInterval(() => write(":\n\n"), HEARTBEAT_MS);
  const life = setTimeout(() => res.end(), lifeMs);
  void closed.then(() => {
    clearInterval(heartbeat);
    clearTimeout(life);
  });
  return {
    send: (event, data) => write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
    end: () => void res.end(),
    closed,
  };
}
