import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from "smtp-server";
import { onTestFinished } from "vitest";
import { readTlsFixture } from "../support/tls.ts";

/** A mail as the server received it. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Whether it came encrypted. */
  readonly secure: boolean;
  readonly user: string | undefined;
  readonly raw: string;
}

/**
 * Starts a mail server on loopback that offers STARTTLS.
 *
 * @param atEnd - takes the function that stops it. Default: it stops with the test.
 */
export async function startMailServer(
  options: SMTPServerOptions = {},
  atEnd: (close: () => Promise<void>) => void = onTestFinished,
) {
  const mails: ReceivedMail[] = [];
  /** Every protocol line that clients sent unencrypted, which shows roughly what sign-ins were tried. */
  const signIns: string[] = [];
  const server = new SMTPServer({
    ...readTlsFixture("service"),
    authOptional: true,
    disableReverseLookup: true,
    logger: false,
    onAuth(auth, _session, done) {
      signIns.push(`${auth.username}:${auth.password}`);
      if (auth.password === "right") done(null, { user: auth.username });
      else done(new Error("no"));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        mails.push(toMail(session, Buffer.concat(chunks).toString()));
        done();
      });
    },
    ...options,
  });
  // Ignore a client that disconnects during the handshake.
  server.on("error", () => undefined);
  const listener = server.listen(0, "127.0.0.1");
  if (!listener.listening) await once(listener, "listening");
  atEnd(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const { port } = server.server.address() as AddressInfo;
  return { port, mails, signIns };
}

function toMail({ envelope, secure, user }: SMTPServerSession, raw: string): ReceivedMail {
  return {
    from: envelope.mailFrom === false ? "" : envelope.mailFrom.address,
    to: envelope.rcptTo.map(({ address }) => address),
    secure,
    user: typeof user === "string" ? user : undefined,
    raw,
  };
}
