/** effects */
export const TEXTS = {
  already:
    "{act, select, approve {This order is already approved.} decline {This order is already canceled, or is being canceled.} handle {This order is already marked as handled.} other {A recheck is in progress.}}",
  cancels:
    "Cancels the order on {platform}, {refund, select, sum {refunds {sum}} yes {refunds it} other {doesn''t refund}}, {restock, select, yes {restocks} other {doesn''t restock}}{notify, select, yes { and notifies the customer} other {}}. You can't undo this after it takes effect.",
  "cancels-sandbox": "Cancels the sandbox order. No money moves, and nothing changes on the platform.",
  "decides-again": "Decides again. Uses no credits, since this order isn't sent to the verification service.",
  handles:
    "Takes the order, which has shipped, out of the queue. Reports don't count it as approved or declined.",
  "impossible-already-canceled": "Not possible: the order is already canceled.",
  "impossible-being-canceled": "Not possible: the order is being canceled on the platform.",
  "impossible-being-carried-out":
    "Not possible: {first, select, approve {the order was already approved} decline {the order was already declined} handle {the order was already marked as handled} other {a recheck was already asked for}}, and that is being carried out: try again in a moment.",
  "impossible-canceled-on-platform": "Not possible: the order was canceled on the platform.",
  "impossible-content-erased": "Not possible: the order's content was erased.",
  "impossible-content-unreadable": "Not possible: the order's content can't be read.",
  "impossible-contested":
    "Not possible: {first, select, approve {the order was already approved} decline {the order was already declined} handle {the order was already marked as handled} other {a recheck was already asked for}}: look at it again before you decide otherwise.",
  "impossible-not-shipped": "Not possible: the order hasn't shipped: approve or decline it.",
  "impossible-undecided": "Not possible: the order isn't decided yet: try again in a moment.",
  "impossible-undo-first":
    "Not possible: {first, select, approve {the order was already approved} decline {the order was already declined} handle {the order was already marked as handled} other {a recheck was already asked for}}, and that can still be undone: undo it first.",
  rechecks: "Uses 1 credit and decides again.",
  "rechecks-locally": "Checks again with the local engine and decides again. Uses no credits.",
  "records-approval": "Records that the order is good. It has shipped already.",
  "records-decline":
    "Records your decision, and cancels and refunds nothing: the order has shipped. Refund it on the platform.",
  "releases-both": "Releases Holdfast's hold and removes {tags}. The order can ship.",
  "releases-hold": "Releases Holdfast's hold. The order can ship.",
  "releases-nothing": "Changes nothing on {platform}. The order can ship.",
  "releases-tags": "Removes {tags}. The order can ship.",
} as const;
