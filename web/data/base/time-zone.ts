import { readStored, reloadWith } from "./storage.ts";

const CHOICE = { key: "holdfast.time-zone", parameter: "times" };
const DEVICE = "device";

/** This device's time zone, as an IANA name. */
export const DEVICE_ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Whether the person reads times in this device's zone. Otherwise, in the shop's, as their colleagues do. */
export function readsDeviceZone(): boolean {
  const parameters = new URLSearchParams(globalThis.location?.search ?? "");
  return [readStored(() => localStorage, CHOICE.key), parameters.get(CHOICE.parameter)].includes(DEVICE);
}

/** Load the page again with times in this device's zone or the shop's. */
export function changeTimeZone(isDevice: boolean): void {
  reloadWith(CHOICE, isDevice ? DEVICE : null);
}
