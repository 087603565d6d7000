/** Decisions by people, and undoing them. */
export const TEXTS = {
  approve: "Approve",
  blocked: "{count, plural, one {Blocked # detail of the buyer.} other {Blocked # details of the buyer.}}",
  "check-again": "Check again",
  "customer-asked-to-cancel": "Customer asked to cancel",
  "customer-didnt-confirm-the-order": "Customer didn't confirm the order",
  decline: "Decline",
  "done-many": "{parts}.",
  "done-one":
    "{name} {kind, select, approve {approved} decline {declined} late {declined, but not canceled: already shipped} recheck {sent for another check} other {marked as handled}}.",
  "done-part":
    "{count, plural, one {# order} other {# orders}} {kind, select, approve {approved} decline {declined} late {declined, but not canceled: already shipped} recheck {sent for another check} other {marked as handled}}",
  "false-name-address-or-phone": "False name, address, or phone",
  "mark-as-handled": "Mark as handled",
  "not-blocked": "{name} was declined, but nothing was blocked. {why}",
  other: "Other",
  "reseller-promotion-or-return-abuse": "Reseller, promotion, or return abuse",
  "still-blocked": "The decline of {name} was undone, but the buyer is still blocked. {why}",
  "stolen-card-or-account": "Stolen card or account",
  "suspected-fraud": "Suspected fraud",
} as const;
