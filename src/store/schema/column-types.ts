/** IDs are text, times bigint milliseconds, booleans 0 and 1, sealed values bytes. */
export interface Types {
  readonly text: string;
  readonly bytes: string;
  /** The key of a table whose rows are numbered. */
  readonly sequence: string;
  readonly isPostgres: boolean;
}

/** Databases whose types differ. */
export type Dialect = "sqlite" | "postgres";

export const TYPES: Readonly<Record<Dialect, Types>> = {
  sqlite: { text: "text", bytes: "blob", sequence: "integer primary key autoincrement", isPostgres: false },
  postgres: {
    // Compare by bytes, as in SQLite, so that the order of IDs doesn't depend on a locale and no index breaks when the
    // system's locale changes.
    text: 'text collate "C"',
    bytes: "bytea",
    sequence: "bigserial primary key",
    isPostgres: true,
  },
};
