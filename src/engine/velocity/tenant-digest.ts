/** The keyring's digest for a tenant. Without the key, guesses can't be tested and tenants can't be compared. */
export type TenantDigest = (purpose: string, text: string) => string;
