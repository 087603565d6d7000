import { Select } from "../components/form.tsx";
import { t } from "../data/base/texts.ts";
import { changeTimeZone, DEVICE_ZONE, readsDeviceZone } from "../data/base/time-zone.ts";

/** Chooses the zone of times in this browser. Nothing is shown where there is no choice. */
export function TimeZoneChoice({ shopZone }: { readonly shopZone: string | null }) {
  const known = shopZone ?? "UTC";
  if (known === DEVICE_ZONE) return null;
  return (
    <Select<"shop" | "device">
      label={t("languages.time-zone")}
      hint={t("languages.days-are-the-shops")}
      value={readsDeviceZone() ? "device" : "shop"}
      options={[
        ["shop", t("languages.the-shops", { zone: nameZone(known) })],
        ["device", t("languages.this-devices", { zone: nameZone(DEVICE_ZONE) })],
      ]}
      onChange={(zone) => changeTimeZone(zone === "device")}
    />
  );
}

const nameZone = (zone: string) => zone.replaceAll("_", " ");
