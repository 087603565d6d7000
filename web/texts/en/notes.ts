/** Notes about an order, and who should review it. */
export const TEXTS = {
  assign: "Assigned to",
  "assign-to-me": "Assign to me",
  "assigned-to-me": "Assigned to you.",
  draft: "unsaved note",
  for: "for {name}",
  hint: "Kept here until you save it. The customer doesn’t see it. Write @ to mention a colleague.",
  mentions: "Colleagues to mention",
  nobody: "Nobody",
  note: "Note",
  notes: "{count, plural, one {# note} other {# notes}}",
  saved: "Note saved.",
  "you-are-mentioned": "mentions you",
} as const;
