import { HoldfastError } from "../../src/index.ts";
import type { createMemoryAdapter } from "./memory-adapter.ts";

type Spoil = NonNullable<Parameters<typeof createMemoryAdapter>[0]>;

/** Adapters that misreport orders and installations, and the cases that catch them. */
export const ACCESS_FAULTS: readonly (readonly [fault: string, spoil: Spoil, caught: readonly string[]])[] = [
  [
    "recognizes none of its orders",
    (sound) => ({
      readOrder: (...call) =>
        sound.readOrder(...call).then(
          () => null,
          () => {
            throw new HoldfastError("PLATFORM_REFUSED", "no", { retryable: false });
          },
        ),
    }),
    [
      "reads a placed order like its next delivery, and null for an unknown order",
      "reports that readOrder may work later when there is no connection",
      "reports that access is missing for readOrder",
    ],
  ],
  [
    "reports that every tenant left",
    () => ({ confirmAccess: async () => "refused" }),
    [
      "reports that the access of a tenant that installed the app works",
      "doesn't mistake missing access or no answer for an uninstallation",
    ],
  ],
  [
    "reports that no tenant left",
    () => ({ confirmAccess: async () => "works" }),
    ["reports that the access of a tenant that uninstalled the app is refused, and keeps its data"],
  ],
];
