/** Name of an API key's circuit, the same in all processes that use the key. */
export function toCircuitName(keyId: string): string {
  return `key:${keyId}`;
}
