import type { TargetedKeyboardEvent } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ActionButton } from "../components/action-button.tsx";
import { Button, Icon } from "../components/button.tsx";
import { Dialog } from "../components/dialog.tsx";
import { isEmbedded } from "../data/api/session.ts";
import { getShopKey } from "../data/api/shop.ts";
import { t } from "../data/base/texts.ts";
import { createValue, useValue } from "../data/base/value.ts";
import { type Shortcut, useShortcuts } from "../data/shell/keyboard.ts";
import { type ListedShop, refreshShops, shops } from "../data/shell/shops.ts";
import { openShop, signOutOfAll } from "../data/shell/sign-in.ts";
import { useSignIn } from "./use-sign-in.tsx";

/** `shop`: the one to sign in to, if it is known. */
type Shown = { readonly part: "list" } | { readonly part: "sign-in"; readonly shop: ListedShop | null };

const shown = createValue<Shown | null>(null);

export function showShops(): void {
  shown.set({ part: "list" });
}

export function addShop(): void {
  shown.set({ part: "sign-in", shop: null });
}

function choose(shop: ListedShop): void {
  if (shop.key === getShopKey()) return shown.set(null);
  if (!shop.isSignedIn) return shown.set({ part: "sign-in", shop });
  shown.set(null);
  void openShop(shop.key);
}

/** The button that says which shop this is. Only a browser that knows several shops has it. */
export function ShopButton() {
  const all = useValue(shops);
  const mine = all.find(({ key }) => key === getShopKey());
  if (mine === undefined || all.length < 2) return null;
  return (
    <button
      type="button"
      class="bare shop-button line"
      aria-haspopup="dialog"
      title={mine.name}
      onClick={showShops}
    >
      <span class="unseen">{t("shell.shop")} </span>
      <span class="clip strong" dir="auto">
        {mine.name}
      </span>
      <Icon name="down" />
    </button>
  );
}

/** The shops, and the sign-in to another one. Drawn once on the page, with its commands for the palette. */
export function ShopSwitcher() {
  const all = useValue(shops);
  const now = useValue(shown);
  useShortcuts(isEmbedded ? [] : toCommands(all), 0);
  useEffect(() => () => shown.set(null), []);
  if (now === null) return null;
  return now.part === "list" ? <ShopList all={all} /> : <AddShop shop={now.shop} />;
}

function toCommands(all: readonly ListedShop[]): readonly Shortcut[] {
  const others = all.filter(({ key }) => key !== getShopKey());
  return [
    ...others.map((shop) => ({
      keys: [],
      label: t("shell.switch-to", { shop: shop.name }),
      run: () => choose(shop),
    })),
    { keys: [], label: t("shell.add-another-shop"), run: addShop },
  ];
}

const close = () => shown.set(null);

function ShopList({ all }: { readonly all: readonly ListedShop[] }) {
  useEffect(() => void refreshShops().catch(() => undefined), []);
  return (
    <Dialog
      title={t("shell.shops")}
      keepsInput
      onClose={close}
      foot={
        <>
          <ActionButton label={t("shell.sign-out-of-all")} onAct={signOutOfAll} />
          <Button label={t("shell.add-another-shop")} icon="plus" onClick={addShop} />
        </>
      }
    >
      <ul class="shop-list stack gap-0" onKeyDown={moveFocus}>
        {all.map((shop) => (
          <ShopLine key={shop.key} shop={shop} />
        ))}
      </ul>
    </Dialog>
  );
}

function ShopLine({ shop }: { readonly shop: ListedShop }) {
  const isMine = shop.key === getShopKey();
  return (
    <li>
      <button
        type="button"
        class="bare line"
        aria-current={isMine ? "true" : undefined}
        data-focus={isMine ? "first" : undefined}
        onClick={() => choose(shop)}
      >
        <span class="shop-mark">{isMine && <Icon name="check" />}</span>
        <span class="grow anywhere" dir="auto">
          {shop.name}
        </span>
        {!shop.isSignedIn && <span class="soft fine">{t("shell.signed-out")}</span>}
      </button>
    </li>
  );
}

/** The arrow keys, Home and End, as in a menu. */
function moveFocus(event: TargetedKeyboardEvent<HTMLUListElement>): void {
  const buttons = [...event.currentTarget.querySelectorAll("button")];
  const at = buttons.findIndex((one) => one === document.activeElement);
  const places: Readonly<Record<string, number>> = {
    ArrowDown: (at + 1) % buttons.length,
    ArrowUp: (at - 1 + buttons.length) % buttons.length,
    Home: 0,
    End: buttons.length - 1,
  };
  const to = places[event.key];
  if (to === undefined) return;
  event.preventDefault();
  buttons[to]?.focus();
}

function AddShop({ shop }: { readonly shop: ListedShop | null }) {
  const { content, button, submit } = useSignIn(({ shopKey }) => openShop(shopKey));
  const title = shop === null ? t("shell.add-another-shop") : t("shell.sign-in-to", { shop: shop.name });
  return (
    <Dialog title={title} keepsInput onClose={close} onSubmit={submit} foot={button}>
      <p class="soft">{t("shell.you-stay-signed-in-here")}</p>
      {content}
    </Dialog>
  );
}

/** The other shops with a session, where this one has none: after its end, or for a bookmark. */
export function OtherShops() {
  const [isAsked, setAsked] = useState(false);
  useEffect(
    () =>
      void refreshShops().then(
        () => setAsked(true),
        () => undefined,
      ),
    [],
  );
  const others = useValue(shops).filter(({ key, isSignedIn }) => isSignedIn && key !== getShopKey());
  if (!isAsked || others.length === 0) return null;
  return (
    <section class="stack gap-2 other-shops" aria-label={t("shell.shops")}>
      <p class="soft">{t("shell.or-open-another-shop")}</p>
      <ul class="shop-list stack gap-0">
        {others.map((shop) => (
          <ShopLine key={shop.key} shop={shop} />
        ))}
      </ul>
    </section>
  );
}
