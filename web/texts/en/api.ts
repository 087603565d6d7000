/** What went wrong with a call, and who may do what. */
export const TEXTS = {
  "being-carried-out": "{decision} That is being carried out. Try again in a moment.",
  "cant-reach-the-server-check-your": "Can't reach the server. Check your connection and try again.",
  contested: "{decision} Look at the order again before you decide otherwise.",
  "couldnt-get-a-session-from-the": "Couldn't get a session from the platform. Reload the page.",
  decided:
    "{who} {act, select, approve {approved this order} decline {declined this order} handle {marked this order as handled} other {requested another check of this order}} on {time}.",
  "holdfast-is-unavailable-try-again-in": "Holdfast is unavailable. Try again in a few minutes.",
  "in-english": "{text} (in English)",
  "requires-role":
    "Requires the {role, select, viewer {viewer} reviewer {reviewer} other {owner}} role. Ask an owner for access.",
  "server-error": "The server returned an error ({status}). Try again.",
  "someone-else-changed-this-reload-to": "Someone else changed this. Reload to see the latest version.",
  "something-went-wrong-on-this-page": "Something went wrong on this page. Reload it.",
  "this-doesnt-exist-or-it-was": "This doesn't exist, or it was deleted. Go back and try again.",
  "too-late": "Too late to undo: {decision}",
  "too-many-requests-wait-a-moment": "Too many requests. Wait a moment, then try again.",
  "undo-first": "{decision} Undo that first.",
  "your-role-doesnt-allow-this-ask": "Your role doesn't allow this. Ask an owner for access.",
  "your-session-has-ended-sign-in": "Your session has ended. Sign in again.",
} as const;
