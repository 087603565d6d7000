import { Notice, Panel } from "../../components/panel.tsx";
import type { Settings } from "../../data/settings.ts";
import type { Load } from "../../data/use-load.ts";
import { KeyFacts, KeyForm } from "./key-form.tsx";

const FROM_WORDS = {
  own: "Saved here",
  environment: "The installation’s configuration",
  none: "None: orders are decided without the catalog",
} as const;

interface CatalogPanelProps {
  readonly load: Pick<Load<Settings>, "etag" | "replace" | "reload">;
  readonly settings: Settings;
}

/** The catalog: whose key looks up what an order's products are, and another one. Nothing where no catalog is configured. */
export function CatalogPanel({ load, settings: { catalog } }: CatalogPanelProps) {
  const { from, url, problem } = catalog;
  if (url === null && problem === null) return null;
  return (
    <Panel title="Catalog">
      <div class="stack">
        <p class="hint">
          Holdfast looks up category, brand and manufacturer of each order’s products here, for your rules and
          your reviewers. This costs no credits.
        </p>
        {problem === "unreadable" && (
          <Notice tone="bad">
            The saved settings can’t be decrypted, so no catalog is used. Check DATA_KEY. To start over, save
            or remove the service key first.
          </Notice>
        )}
        {problem === "no-address" && (
          <Notice tone="bad">
            A key is saved, but no catalog is configured. Set CATALOG_URL, or remove the key.
          </Notice>
        )}
        <KeyFacts words={FROM_WORDS[from]} used={catalog} />
        <KeyForm
          load={load}
          part="catalog"
          from={from}
          canRemove={from === "own" || problem === "no-address"}
          onRemoval="Holdfast then uses the installation’s key, if there is one. Otherwise, orders are decided without the catalog."
        />
      </div>
    </Panel>
  );
}
