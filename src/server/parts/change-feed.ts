import type { TenantId } from "../../platform/platform.ts";
import type { Store } from "../../store/store.ts";

/** The time between two calls of a listener, so that a burst of orders doesn't make every page load its list each time. */
const SPACING_MS = 250;

/** Tells a tenant's listeners in this process that its orders have changed, in whichever process. */
export type ChangeFeed = ReturnType<typeof createChangeFeed>;

interface Channel {
  readonly listeners: Set<() => void>;
  timer: ReturnType<typeof setTimeout> | undefined;
  /** It changed again while the timer ran. */
  isStale: boolean;
}

/** Listens to the store from the first listener on. */
export function createChangeFeed(store: Pick<Store, "onChange">) {
  const channels = new Map<TenantId, Channel>();
  let isListening = false;

  function tell(channel: Channel): void {
    for (const listener of channel.listeners) listener();
    channel.timer = setTimeout(() => {
      channel.timer = undefined;
      if (!channel.isStale) return;
      channel.isStale = false;
      tell(channel);
    }, SPACING_MS);
    channel.timer.unref();
  }

  function onChange(tenant: TenantId | null): void {
    const changed = tenant === null ? [...channels.values()] : [channels.get(tenant)];
    for (const channel of changed) {
      if (channel === undefined) continue;
      if (channel.timer === undefined) tell(channel);
      else channel.isStale = true;
    }
  }

  function find(tenant: TenantId): Channel {
    const known = channels.get(tenant);
    if (known !== undefined) return known;
    const channel: Channel = { listeners: new Set(), timer: undefined, isStale: false };
    channels.set(tenant, channel);
    return channel;
  }

  return {
    /** How many listeners there are, of a tenant or of all. */
    count: (tenant?: TenantId): number =>
      tenant === undefined
        ? [...channels.values()].reduce((sum, { listeners }) => sum + listeners.size, 0)
        : (channels.get(tenant)?.listeners.size ?? 0),
    /** Call `listener` after changes, at most four times a second, until the returned function is called. */
    listen: (tenant: TenantId, listener: () => void) => {
      if (!isListening) store.onChange(onChange);
      isListening = true;
      const channel = find(tenant);
      // Wrapped, so that the same function can be added twice and removed once.
      const own = () => listener();
      channel.listeners.add(own);
      return () => void channel.listeners.delete(own);
    },
  };
}
