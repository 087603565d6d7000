import { throwMissingPackage } from "../../../base/missing-package.ts";
import type { Driver } from "./postgres-pool.ts";

/**
 * Load the `pg` package. Bundlers leave it alone: most shops that bundle Holdfast don't have it.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` with the command that installs it.
 */
export const loadPg = (): Promise<Driver> =>
  import(/* webpackIgnore: true */ /* turbopackIgnore: true */ /* @vite-ignore */ "pg").catch(
    throwMissingPackage,
  );
