import type { ComponentChildren } from "preact";

interface TableProps {
  /** Read out, not seen. */
  readonly caption: string;
  /** Headings, with the class of those of numbers. */
  readonly columns: readonly (string | readonly [heading: string, look: "number"])[];
  readonly look?: string;
  /** Names the part of the page in which a wide table scrolls. Default: it doesn't scroll. */
  readonly region?: string;
  /** Whether its rows are cards where it is narrow. The roles stay, however the table is styled. */
  readonly isCards?: boolean;
  /** The rows. */
  readonly children: ComponentChildren;
}

/** A table with one line of headings. */
export function Table({ caption, columns, look, region, isCards = false, children }: TableProps) {
  const toRole = (role: "table" | "row" | "rowgroup" | "columnheader") => (isCards ? role : undefined);
  const table = (
    <table role={toRole("table")} class={look}>
      <caption class="unseen">{caption}</caption>
      <thead role={toRole("rowgroup")}>
        <tr role={toRole("row")}>
          {columns.map((column) => {
            const [heading, kind] = typeof column === "string" ? [column] : column;
            return (
              <th key={heading} role={toRole("columnheader")} scope="col" class={kind}>
                {heading}
              </th>
            );
          })}
        </tr>
      </thead>
      <tbody role={toRole("rowgroup")}>{children}</tbody>
    </table>
  );
  if (region === undefined) return table;
  return (
    <div class="scroll-x" tabIndex={0} role="region" aria-label={region}>
      {table}
    </div>
  );
}
