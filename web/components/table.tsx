import type { ComponentChildren } from "preact";
import { t } from "../data/base/texts.ts";

interface TableProps {
  /** Only for screen readers. */
  readonly caption: string;
  /** Headings, with a class for columns of numbers. */
  readonly columns: readonly (string | readonly [heading: string, look: "number"])[];
  readonly look?: string;
  /** Names the part of the page in which a wide table scrolls. Default: it doesn't scroll. */
  readonly region?: string;
  /** Whether its rows become cards in a narrow space. The table roles stay, however it's styled. */
  readonly isCards?: boolean;
  /** Whether the first cell of a row is a cell like the others, rather than its heading. */
  readonly isPlain?: boolean;
  /** Each row's key, its heading, and its other cells, which look like their column. */
  readonly rows: readonly (readonly [key: string, ...cells: readonly ComponentChildren[]])[];
}

export function Table(props: TableProps) {
  const { caption, look, region, isCards = false, isPlain = false, rows } = props;
  const toRole = <R extends string>(role: R) => (isCards ? role : undefined);
  const columns = props.columns.map((one) => (typeof one === "string" ? ([one] as const) : one));
  const table = (
    <table role={toRole("table")} class={look}>
      <caption class="unseen">{caption}</caption>
      <thead role={toRole("rowgroup")}>
        <tr role={toRole("row")}>
          {columns.map(([heading, kind]) => (
            <th key={heading} role={toRole("columnheader")} scope="col" class={kind}>
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role={toRole("rowgroup")}>
        {rows.map(([key, ...cells]) => (
          <tr key={key} role={toRole("row")}>
            {cells.map((cell, index) =>
              index === 0 && !isPlain ? (
                <th key={index} role={toRole("rowheader")} scope="row">
                  {cell}
                </th>
              ) : (
                <td
                  key={index}
                  role={toRole("cell")}
                  class={columns[index]?.[1]}
                  data-label={
                    isCards ? t("components.cell-of", { column: columns[index]?.[0] ?? "" }) : undefined
                  }
                >
                  {cell}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
  if (region === undefined) return table;
  return (
    <div class="scroll-x" tabIndex={0} role="region" aria-label={region}>
      {table}
    </div>
  );
}
