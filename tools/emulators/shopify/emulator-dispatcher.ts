import { Agent, buildConnector, type Dispatcher } from "undici";

/** Options of {@link createEmulatorDispatcher}. */
export interface EmulatorDispatcherOptions {
  /** Certificate to trust, in PEM, for an emulator with TLS. Without it the connection is plain. */
  readonly ca?: string | undefined;
}

/**
 * An undici dispatcher that sends each `*.myshopify.com` call to the emulator. Host header and TLS server name stay the
 * shop's, so the caller's URLs are the real ones; any other host is refused, so nothing leaves the machine.
 */
export function createEmulatorDispatcher(
  emulator: { readonly port: number },
  options: EmulatorDispatcherOptions = {},
): Dispatcher {
  const connect = buildConnector({ ...(options.ca === undefined ? {} : { ca: options.ca }), allowH2: false });
  return new Agent({
    connect(target, callback) {
      if (!target.hostname.endsWith(".myshopify.com")) {
        callback(new Error("the emulator only serves *.myshopify.com"), null);
        return;
      }
      const port = String(emulator.port);
      if (options.ca === undefined) {
        connect({ protocol: "http:", hostname: "127.0.0.1", port }, callback);
      } else {
        connect({ protocol: "https:", hostname: "127.0.0.1", port, servername: target.hostname }, callback);
      }
    },
  });
}
