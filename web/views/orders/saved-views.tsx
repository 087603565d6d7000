import { useState } from "preact/hooks";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog, Dialog } from "../../components/dialog.tsx";
import { Choice, Select, TextField } from "../../components/form.tsx";
import { Problem } from "../../components/panel.tsx";
import { asApiError, call } from "../../data/api/api.ts";
import { findProblem } from "../../data/api/field-problems.ts";
import { showToast } from "../../data/api/messages.ts";
import { toRoleReason } from "../../data/api/session.ts";
import { useAction } from "../../data/api/use-action.ts";
import { type Load, useLoad } from "../../data/api/use-load.ts";
import { toSavedQuery } from "../../data/orders/filters.ts";
import { findView, listViews, nameView, type SavedView } from "../../data/orders/saved-views.ts";
import { getRoute, navigate } from "../../data/shell/route.ts";
import { t } from "../../data/base/texts.ts";
import type { ListKind } from "./order-row.tsx";

interface SavedViewsProps {
  readonly kind: ListKind;
  readonly query: Readonly<Record<string, string>>;
}

type Views = { readonly views: readonly SavedView[] };

/** The list's saved views to choose from, and a button to save or edit the one that is shown. */
export function SavedViews({ kind, query }: SavedViewsProps) {
  const load = useLoad("GET /views");
  const [isOpen, setOpen] = useState(false);
  if (load.data === null) return null;
  const views = listViews(load.data.views, kind);
  const current = toSavedQuery(query);
  const shown = findView(views, current);
  const isAny = Object.keys(current).length > 0;
  return (
    <>
      {views.length > 0 && (
        <Select
          label={t("orders.saved-views")}
          hideLabel
          value={shown?.viewId ?? ""}
          options={[
            ["", t("orders.saved-views")],
            ...views.map((view) => [view.viewId, nameView(view)] as const),
          ]}
          onChange={(id) => {
            const chosen = views.find(({ viewId }) => viewId === id)?.query ?? {};
            navigate({ ...getRoute(), query: { q: query["q"] ?? "", ...chosen } });
          }}
        />
      )}
      {shown === undefined
        ? isAny && <Button label={t("orders.save-view")} look="quiet" onClick={() => setOpen(true)} />
        : shown.canChange && (
            <Button label={t("orders.edit-view")} look="quiet" onClick={() => setOpen(true)} />
          )}
      {isOpen && (
        <ViewDialog {...{ kind, load, view: shown, query: current }} onClose={() => setOpen(false)} />
      )}
    </>
  );
}

interface ViewDialogProps extends SavedViewsProps {
  readonly load: Pick<Load<Views>, "replace">;
  /** The view to edit; undefined for a new one. */
  readonly view: SavedView | undefined;
  readonly onClose: () => void;
}

/** Names a view, and says who sees it. */
function ViewDialog({ kind, query, load, view, onClose }: ViewDialogProps) {
  const [name, setName] = useState(view?.name ?? "");
  const [sees, setSees] = useState<"me" | "shop">(view?.shared ? "shop" : "me");
  const [isDeleting, setDeleting] = useState(false);
  const { busy, problem, run } = useAction();
  const problems = problem === undefined ? [] : asApiError(problem).errors;
  const reason = toRoleReason("reviewer");

  async function save(): Promise<void> {
    const body = { name: name.trim(), shared: sees === "shop", query };
    const { data } = await (view === undefined
      ? call("POST /views", { body: { ...body, list: kind } })
      : call("PUT /views/:viewId", { params: { viewId: view.viewId }, body }));
    load.replace(data);
    showToast(t("orders.view-saved"));
    onClose();
  }

  if (view !== undefined && isDeleting) return <DeleteDialog {...{ view, load, onClose }} />;
  return (
    <Dialog
      title={view === undefined ? t("orders.save-view") : t("orders.edit-view")}
      onClose={onClose}
      onSubmit={() => run(save)}
      foot={
        <>
          {view !== undefined && (
            <Button label={t("orders.delete-view")} look="danger" onClick={() => setDeleting(true)} />
          )}
          <Button label={t("orders.save")} type="submit" look="primary" busy={busy} />
        </>
      }
    >
      {problems.length === 0 && <Problem error={problem} />}
      <TextField
        label={t("orders.view-name")}
        value={name}
        error={findProblem(problems, "name")}
        onChange={setName}
      />
      <Choice
        label={t("orders.who-sees-it")}
        value={sees}
        options={[
          ["me", t("orders.only-me")],
          ["shop", t("orders.everyone-in-this-shop"), reason, reason !== undefined],
        ]}
        onChange={setSees}
      />
    </Dialog>
  );
}

type DeleteDialogProps = Pick<ViewDialogProps, "load" | "onClose"> & { readonly view: SavedView };

function DeleteDialog({ view: { viewId, name, shared }, load, onClose }: DeleteDialogProps) {
  const { busy, problem, run } = useAction();

  async function remove(): Promise<void> {
    const { data } = await call("DELETE /views/:viewId", { params: { viewId } });
    load.replace(data);
    showToast(t("orders.view-deleted"));
    onClose();
  }

  return (
    <ConfirmDialog
      title={t("orders.delete-view-question", { name })}
      confirm={t("orders.delete-view")}
      danger
      busy={busy}
      onConfirm={() => run(remove)}
      onClose={onClose}
    >
      <Problem error={problem} />
      <p>{shared ? t("orders.delete-shared-view") : t("orders.delete-own-view")}</p>
    </ConfirmDialog>
  );
}
