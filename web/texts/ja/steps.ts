export const TEXTS = {
  assess: "評価",
  cancel: "キャンセル",
  capture: "キャプチャ",
  hold: "保留",
  release: "解除",
  tag: "タグ付け",
  untag: "タグの削除",
};
