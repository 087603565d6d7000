import { toHash } from "../data/route.ts";

/** Properties of {@link SubNav}. */
export interface SubNavProps {
  readonly label: string;
  readonly view: string;
  /** What is open; null is the first. */
  readonly open: string | null;
  readonly parts: readonly (readonly [id: string | null, label: string])[];
}

/** Links between the parts of one view. */
export function SubNav({ label, view, open, parts }: SubNavProps) {
  return (
    <nav class="sub-nav" aria-label={label}>
      <ul>
        {parts.map(([id, text]) => (
          <li key={text}>
            <a href={toHash({ view, id })} aria-current={id === open ? "page" : undefined}>
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
