/** The service's message for each status, as its interface words them; the rest is plain HTTP. */
export const STATUS_MESSAGES = {
  401: "Missing API Key",
  402: "Insufficient credits. Please purchase credits to verify orders.",
  403: "Invalid API Key",
  429: "Rate limit exceeded",
  500: "Internal Server Error",
  302: "Found",
  404: "Not Found",
  405: "Method Not Allowed",
  413: "Payload Too Large",
  503: "Service Unavailable",
} as const;

/** Start of every message about a body that cannot be used. */
export const INVALID_BODY = "Invalid request body: ";
