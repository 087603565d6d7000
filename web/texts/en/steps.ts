/** steps */
export const TEXTS = {
  assess: "assess",
  cancel: "cancel",
  capture: "capture",
  hold: "hold",
  release: "release",
  tag: "tag",
  untag: "untag",
} as const;
