import type { ServerResponse } from "node:http";

/** Answer a request that takes long. The signal fires when the caller hangs up; what the work rejects with then is dropped. */
export async function whileConnected(
  res: ServerResponse,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const gone = new AbortController();
  const end = (): void => gone.abort(new Error("the caller hung up"));
  // Signing the caller in took its time: the connection may be closed already.
  if (res.closed || res.destroyed) return;
  res.once("close", end);
  try {
    await work(gone.signal);
  } catch (error) {
    if (!gone.signal.aborted) throw error;
  } finally {
    res.off("close", end);
  }
}
