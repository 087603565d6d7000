// Loaded before the real command line: its calls to any shop go to the emulator on this machine, still over TLS.
import tls from "node:tls";

const port = Number(process.env["EMULATOR_PORT"]);
const { connect } = tls;

interface Target {
  readonly host?: string;
}

Object.assign(tls, {
  connect(...[options, ...rest]: [Target, ...never[]]): tls.TLSSocket {
    const { host = "" } = options;
    const routed = host.endsWith(".myshopify.com")
      ? { ...options, host: "127.0.0.1", port, servername: host }
      : options;
    return connect(routed, ...rest);
  },
});
