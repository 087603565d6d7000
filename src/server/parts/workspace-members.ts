import type { Dispatcher } from "undici";
import { createManagementClient } from "../../management/management-client.ts";
import type { Secret } from "../../base/secret.ts";
import { cutText } from "../../order/text.ts";

/** Somebody in one of the operator's workspaces. */
export interface WorkspaceMember {
  /** Their name in the console: their name, or else their email address. */
  readonly name: string;
  readonly email: string | null;
}

/** Reads the members of the operator's workspaces. Rejects as the management client does. */
export type ReadWorkspaceMembers = () => Promise<readonly WorkspaceMember[]>;

/** A person waits for the answer in an open dialog. */
const LIMIT_MS = 8_000;
/** More than fit into a list to choose from. */
const MOST_WORKSPACES = 20;
const MOST_MEMBERS = 500;
/** The longest name of a person in the console. */
const NAME_LENGTH = 100;

/**
 * Read the members of all workspaces that the token reaches, sorted by name. Nothing is stored.
 *
 * @param dispatcher - Sends the calls. Default: its own connections.
 */
export async function readWorkspaceMembers(
  { url, token }: { readonly url: string; readonly token: Secret },
  dispatcher?: Dispatcher,
): Promise<readonly WorkspaceMember[]> {
  const signal = AbortSignal.timeout(LIMIT_MS);
  const client = createManagementClient({ url, token: token.reveal(), dispatcher, retries: 0, maxWaitMs: 0 });
  try {
    const members = new Map<string, WorkspaceMember>();
    for (const { id } of await client.workspaces.list({ signal }).all({ max: MOST_WORKSPACES })) {
      for (const record of await client.workspaces.members(id, { signal }).all({ max: MOST_MEMBERS })) {
        const member = toMember(record);
        // A person can be in several workspaces.
        if (member !== null) members.set(member.email ?? member.name, member);
      }
    }
    return [...members.values()].toSorted((a, b) => a.name.localeCompare(b.name)).slice(0, MOST_MEMBERS);
  } finally {
    await client.close();
  }
}

/** The interface doesn't document the fields of a member. These are the usual ones, of the member or of its user. */
function toMember(record: Fields): WorkspaceMember | null {
  const { user } = record;
  const sources = [record, ...(typeof user === "object" && user !== null ? [user as Fields] : [])];
  const read = (field: string) => sources.map((fields) => toTextOrNull(fields[field])).find(Boolean) ?? null;
  const email = read("email");
  const name = read("name") ?? toTextOrNull(`${read("firstName") ?? ""} ${read("lastName") ?? ""}`) ?? email;
  return name === null ? null : { name, email };
}

type Fields = Readonly<Record<string, unknown>>;

/** Text without characters that a person's name can't contain. */
function toTextOrNull(value: unknown): string | null {
  if (typeof value !== "string") return null;
  return cutText(value.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, " "), NAME_LENGTH) || null;
}
