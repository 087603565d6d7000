import { useEffect, useState } from "preact/hooks";

/** As in the styles: below it, the page has its bar at the bottom. */
const NARROW = "(width < 56rem)";

/** Whether the page is narrow, as on a phone, in a component that redraws when that changes. */
export function useNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(() => matchMedia(NARROW).matches);
  useEffect(() => {
    const media = matchMedia(NARROW);
    const note = () => setNarrow(media.matches);
    note();
    media.addEventListener("change", note);
    return () => media.removeEventListener("change", note);
  }, []);
  return isNarrow;
}
