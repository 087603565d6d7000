import { useState } from "preact/hooks";
import { ActionButton } from "../../components/action-button.tsx";
import { Ago } from "../../components/time.tsx";
import type { OrderDetail } from "../../data/api/api-types.ts";
import { call } from "../../data/api/api.ts";
import { saveFile } from "../../data/base/save-file.ts";
import { t } from "../../data/base/texts.ts";

/** What the order's buyer sent to show that the order is theirs. */
export function BuyerFiles({ order: { orderId, buyerFiles } }: { readonly order: OrderDetail }) {
  return buyerFiles.map(({ id, at, note, file }) => (
    <div key={id} class="note">
      <p class="hint">
        <b>{t("asking.from-buyer")}</b> <Ago at={at} />
      </p>
      {note && (
        <blockquote class="anywhere pre" dir="auto">
          {note}
        </blockquote>
      )}
      {file && <File {...file} orderId={orderId} fileId={id} />}
    </div>
  ));
}

type FileProps = NonNullable<OrderDetail["buyerFiles"][number]["file"]> & {
  readonly orderId: string;
  readonly fileId: string;
};

function File({ kind, size, isPicture, ...params }: FileProps) {
  // Its content stays in the browser until the page is closed: 8 MiB at most.
  const [picture, setPicture] = useState("");
  const open = async (): Promise<void> => {
    const { data: file } = await call("GET /orders/:orderId/buyer-files/:fileId", { params });
    // What isn't a picture stays bytes, so that nothing opens it here.
    if (isPicture) setPicture(URL.createObjectURL(file.slice(0, size, `image/${kind}`)));
    else saveFile(`buyer.${kind}`, "", file);
  };
  if (picture) return <img class="picture" src={picture} alt={t("asking.picture")} />;
  const label = t("asking.open-file", { kind, size: Math.ceil(size / 1_000) });
  return <ActionButton small label={label} onAct={open} />;
}
