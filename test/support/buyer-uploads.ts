import { connect, type Socket } from "node:net";
import { ASKING_FOR_EVIDENCE, checkOf, deliverHeld, keyOf, savePolicy, shop } from "./buyer-shop.ts";

export const JPEG = Buffer.concat([Buffer.of(0xff, 0xd8, 0xff, 0xe0), Buffer.from("JFIF and a picture")]);

/** A held order whose buyer can only send something for a person. */
export async function holdForEvidence(orderId = "1"): Promise<string> {
  await savePolicy(ASKING_FOR_EVIDENCE);
  return deliverHeld(orderId);
}

interface Given {
  readonly note?: string;
  readonly file?: Uint8Array;
  readonly name?: string;
  readonly type?: string;
  readonly answer?: string;
}

/** What a browser sends. */
export function toForm({ note = "", file, name = "photo.jpg", type = "image/jpeg", answer = "send" }: Given) {
  const form = new FormData();
  form.set("note", note);
  form.set(
    "file",
    new Blob(file === undefined ? [] : [new Uint8Array(file)], { type }),
    file === undefined ? "" : name,
  );
  form.set("answer", answer);
  return form;
}

export const upload = (link: string, given: Given, headers: Record<string, string> = {}) =>
  fetch(`${link}/evidence`, { method: "POST", body: toForm(given), headers });

export const sendRaw = (link: string, body: BodyInit, headers: Record<string, string>) =>
  fetch(`${link}/evidence`, { method: "POST", body, headers });

/** One part of a form, as bytes. */
export const part = (headers: string, content: string | Buffer = "") =>
  Buffer.concat([
    Buffer.from(`--xYz\r\n${headers}\r\n\r\n`, "latin1"),
    Buffer.from(content),
    Buffer.from("\r\n"),
  ]);
export const NOTE_PART = part('Content-Disposition: form-data; name="note"', "Hello from me");
export const FILE_HEADERS =
  'Content-Disposition: form-data; name="file"; filename="a.jpg"\r\nContent-Type: image/jpeg';
export const END = Buffer.from("--xYz--\r\n");
export const MULTIPART = { "content-type": "multipart/form-data; boundary=xYz" };

/** A connection that sent the beginning of a form and waits. */
export async function openUpload(link: string, address: string, first = NOTE_PART): Promise<Socket> {
  const { port, pathname } = new URL(link);
  const socket = connect(Number(port), "127.0.0.1");
  const head = [
    `POST ${pathname}/evidence HTTP/1.1`,
    "Host: shop",
    `X-Forwarded-For: ${address}`,
    `Content-Type: ${MULTIPART["content-type"]}`,
    "Transfer-Encoding: chunked",
    "Connection: close",
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n`);
  writeChunk(socket, first);
  writeChunk(socket, Buffer.from(`--xYz\r\n${FILE_HEADERS}\r\n\r\n`));
  writeChunk(socket, JPEG);
  return socket;
}

export function writeChunk(socket: Socket, bytes: Buffer): void {
  socket.write(Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from("\r\n")]));
}

/** End the form, and read the whole answer. */
export async function finishUpload(socket: Socket): Promise<string> {
  writeChunk(socket, Buffer.from("\r\n--xYz--\r\n"));
  socket.write("0\r\n\r\n");
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

export const sentOf = (orderId = "1") => shop.store.buyerEvidence.list(keyOf(orderId));

export async function fileOf(orderId = "1") {
  const check = await checkOf(orderId);
  return check === undefined ? null : shop.store.buyerEvidence.readFile(check);
}
