import type { ComponentChildren } from "preact";

interface FigureProps {
  readonly label: string;
  readonly value: ComponentChildren;
  readonly hint?: ComponentChildren;
  /** Where the number comes from. */
  readonly href?: string | undefined;
  readonly tone?: "warn" | "bad" | undefined;
}

/** A number that matters, with its name and where it leads. */
export function Figure({ label, value, hint, href, tone }: FigureProps) {
  const inside = (
    <>
      <span class="figure-label">{label}</span>
      <strong class="figure-value">{value}</strong>
      {hint !== undefined && <span class="hint">{hint}</span>}
    </>
  );
  return href === undefined ? (
    <div class="figure" data-tone={tone}>
      {inside}
    </div>
  ) : (
    <a class="figure" data-tone={tone} href={href}>
      {inside}
    </a>
  );
}
